"""One phase of a game by mail: the position from a page, the orders from mailboxes."""

import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from powderkeg.cli.moderate.answer_files import write_answers
from powderkeg.cli.moderate.mail_files import NO_DATE, Mail
from powderkeg.cli.moderate.players_file import GameFile, read_game_file
from powderkeg.cli.say import t
from powderkeg.games.diplomacy.judge.answers import arrived_page, moderator_page
from powderkeg.games.diplomacy.judge.page import JudgedPhase, judge_page, page_language
from powderkeg.games.diplomacy.judge.post import PostedPhase, judge_letters

_MARK: Final = re.compile(r"^# mail until (\S+)\s*$", re.MULTILINE)


class MailJob(NamedTuple):
    """What a moderator asked for."""

    page: str  # the text of the position's page
    mails: list[Mail]
    game: GameFile
    rulebook: Any
    lang: str


def game_of(path: Path | None) -> GameFile:
    """The game file, if there is one."""
    return read_game_file(path) if path else GameFile()


def judge_mail(job: MailJob, answers: Path | None, *, strict: bool, check: bool) -> JudgedPhase:
    """Judge the letters, print the next page and write the answers."""
    mails = fresh_mails(job.mails, job.page)
    posted = post_phase(job, mails)
    written = arrived_page(posted, job.lang) if check else moderator_page(posted, job.lang)
    sys.stdout.write(written)
    if len(mails) < len(job.mails):
        print(t("judge.older", count=len(job.mails) - len(mails)))
    if not check and (until := latest_date(job)):
        print(f"# mail until {until}")
    if answers and not check and (posted.is_complete() or not strict):
        write_answers(answers, posted, job.game, job.lang)
    if strict and not posted.is_complete():
        fail_strictly()
    return posted.turn


def post_phase(job: MailJob, mails: list[Mail]) -> PostedPhase:
    """The phase of the page's last position, judged by the letters and the orders on the page."""
    turn = judge_page(job.page, job.rulebook, job.lang)[-1]
    return judge_letters(
        turn.sheet,
        [mail.letter for mail in mails],
        job.game.players,
        job.rulebook,
        page=turn,
        prefer=page_language(job.page, job.lang),
    )


def fresh_mails(mails: list[Mail], page: str) -> list[Mail]:
    """Mails that came after those that the page was written with, the latest last. Of one without a
    date nobody knows: it was probably read then."""
    since = marked_date(page)
    fresh = [mail for mail in mails if since is None or since < mail.sent < NO_DATE]
    return sorted(fresh, key=lambda mail: mail.sent)


def marked_date(page: str) -> datetime | None:
    """The date of the latest mail that was used for a page, which stands on it as a comment."""
    for found in _MARK.findall(page)[-1:]:
        try:
            date = datetime.fromisoformat(found)
        except ValueError:
            return None
        return date if date.tzinfo else None
    return None


def latest_date(job: MailJob) -> str:
    dated = [mail.sent for mail in job.mails if mail.sent != NO_DATE]
    since = marked_date(job.page)
    known = [*dated, *([since] if since else [])]
    return max(known).isoformat() if known else ""


def fail_strictly() -> None:
    """Say that something was not read, and leave with an error."""
    print(t("judge.strict"), file=sys.stderr)
    sys.exit(1)
