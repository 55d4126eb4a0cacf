"""Questions in the words of their reader, worded again only where they changed."""

from dataclasses import dataclass
from typing import Any

from powderkeg.core.ask import Node, Question, Row
from powderkeg.core.game import State
from powderkeg.server import message_json
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.views.readers import Reader


@dataclass(slots=True)
class WordedQuestion:
    """A question as it was last shown to a seat in one language."""

    asked: Question
    shown: dict[str, Any]
    rows: "RowWords"


class RowWords:
    """The words of the rows of a sheet of orders. A row whose choices are the same object as before
    keeps its words: the sheet changes row by row, and its words are most of the work."""

    def __init__(self, lang: str, before: "RowWords | None") -> None:
        self.lang = lang
        self.before = before.now if before else {}
        self.now: dict[str, tuple[Node, Any]] = {}

    def word_row(self, row: Row) -> dict[str, Any]:
        node, words = self.before.get(row.target, (None, None))
        if node is not row.node:
            words = message_json.node_in_words(row.node, self.lang)
        self.now[row.target] = row.node, words
        return message_json.row_in_words(row, words, self.lang)


def present_question(
    loaded: LoadedTable, reader: Reader, state: State, seq: int
) -> dict[str, Any] | None:
    asked = loaded.game.ask(state, reader.seat or "")
    if asked is None:
        return None
    if reader.seat and state is loaded.current.table.state:  # not an earlier one, nor one of many
        loaded.asked[reader.seat] = seq, asked
    key = (reader.seat, reader.lang, reader.raw)
    known = loaded.questions.get(key)
    if known is None or known.asked != asked:  # it often stays the same while others act
        known = loaded.questions[key] = _word_question(known, asked, reader)
    return {"id": seq, **known.shown}


def _word_question(known: WordedQuestion | None, asked: Question, reader: Reader) -> WordedQuestion:
    rows = RowWords(reader.lang, known.rows if known else None)
    shown = message_json.question_in_words(asked, reader.lang, rows.word_row)
    rows.before = {}
    raw = message_json.raw_question(asked) if reader.raw else None
    return WordedQuestion(asked, {**shown, "raw": raw}, rows)
