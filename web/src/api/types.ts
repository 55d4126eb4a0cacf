// The server's messages, by their short names. schema.d.ts is made from its OpenAPI document.
import type { components } from "./schema";
import type { Question as Tree } from "../lib/question/tree";

type S = components["schemas"];

export type Me = S["Me"];
export type MeIn = S["MeIn"];
export type ApiToken = S["TokenOut"];
export type Games = S["GamesOut"];
export type GameInfo = S["GameOut"];
export type GameOption = S["OptionOut"];
export type SeatName = S["SeatName"];
export type Preset = S["PresetOut"];
export type TableIn = S["TableIn"];
export type SeatIn = S["SeatIn"];
export type SeatInfo = S["SeatOut"];
export type TableLine = S["TableLine"];
export type FileGames = S["FileGames"];
export type Terms = S["TermsOut"];
export type Person = S["UserOut"];
export type Ranks = S["RanksOut"];
export type League = S["LeagueOut"];
export type LeagueIn = S["LeagueIn"];
export type LeagueChangeIn = S["LeagueChangeIn"];
export type Leagues = S["LeaguesOut"];
export type LeagueTables = S["LeagueTablesOut"];
export type Reports = S["ReportsOut"];
export type Lobby = S["Lobby"];
export type Made = S["Made"];
export type Lesson = S["LessonOut"];
export type Lessons = S["LessonsOut"];
export type LessonLine = S["LessonLine"];
export type SeatLink = S["SeatLink"];
export type Entry = S["EntryOut"];
export type Fact = S["FactOut"];
export type PhaseMark = S["PhaseMark"];
export type Log = S["LogOut"];
export type LogPart = Omit<Log, "next">; // the entries that came with a change
export type Moment = S["MomentOut"];
export type Scene = S["SceneOut"];
export type Beat = S["BeatOut"];
export type Side = S["SideOut"];
export type ScoreLine = S["ScoreLineOut"];
export type Proposal = S["ProposalOut"];
export type ProposalIn = S["ProposalIn"];
export type Press = S["PressOut"];
export type PressPage = S["PressPage"];
export type Offers = S["OffersOut"];
export type PartIn = S["PartIn"];
export type PartOut = S["PartOut"];
export type ReadOut = S["ReadOut"];
export type Advice = S["AdviceOut"];
export type Share = S["ShareOut"];
export type Review = S["ReviewOut"];
export type Blunder = S["BlunderOut"];
export type PackIn = S["PackIn"];
export type PackEdit = Required<S["PackEditIn"]>;
export type PackSheet = S["PackSheetOut"];
export type PackChange = S["PackChangeOut"];
export type PackSaveIn = S["PackSaveIn"];
export type SavedPack = S["SavedPackOut"];
export type SavedPacks = S["SavedPacksOut"];
export type View = Record<string, unknown>;

/** A question whose tree is typed. */
export type Question = Tree & { id: number };
export type Table = Omit<S["TableOut"], "question"> & { question: Question | null };
export type ActOut = Omit<S["ActOut"], "table"> & { table: Table };
