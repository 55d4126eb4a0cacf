"""Answers as files of mail, one per player: written, never sent."""

from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from powderkeg.cli.moderate.players_file import GameFile
from powderkeg.core.words import say
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.judge.answers import (
    answer_lang,
    answer_subject,
    answered_powers,
    player_answer,
    public_page,
)
from powderkeg.games.diplomacy.judge.post import PostedPhase
from powderkeg.games.diplomacy.words import power_name

# The standard's longest line: subjects stay in one piece.
_LONG_LINES: Final = policy.SMTP.clone(max_line_length=998)


def write_answers(folder: Path, posted: PostedPhase, game: GameFile, lang: str) -> None:
    """One ``.eml`` file per player, and ``results.txt`` for everybody."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.txt").write_text(public_page(posted, lang), encoding="utf-8")
    for power in answered_powers(posted, game.players):
        mail = player_mail(posted, power, game, lang)
        (folder / f"{power.lower()}.eml").write_bytes(mail.as_bytes(policy=_LONG_LINES))


def player_mail(posted: PostedPhase, power: Power, game: GameFile, lang: str) -> EmailMessage:
    """The answer to one player, ready to be looked at and sent."""
    chosen = answer_lang(posted, power, game.players, lang)
    post = posted.post.get(power)
    letter = post.letter if post else None
    mail = EmailMessage()
    mail.set_content(player_answer(posted, power, chosen), cte="8bit")
    subject = " ".join([*([f"[{game.name}]"] if game.name else []), answer_subject(posted, chosen)])
    headers = {
        "Subject": f"{subject} ({say(power_name(power), chosen)})",
        "From": game.moderator,
        "To": game.addresses.get(power) or (letter.sender if letter else ""),
        "In-Reply-To": letter.message_id if letter else "",
        "Content-Language": chosen,
        "X-Unsent": "1",  # mail programs open such a file as a draft
    }
    for name, value in headers.items():
        if value:
            mail[name] = " ".join(value.split())
    return mail
