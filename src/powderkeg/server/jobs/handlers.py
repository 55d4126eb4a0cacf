"""The handler of each kind of job."""

from functools import partial

from powderkeg.server.bots.envoys import talk_at_table
from powderkeg.server.bots.processes import BotProcesses
from powderkeg.server.bots.turns import play_bots
from powderkeg.server.db.rows import JobKind
from powderkeg.server.jobs import deadlines
from powderkeg.server.jobs.ballots import cast_bot_votes
from powderkeg.server.jobs.worker import JobHandler
from powderkeg.server.notices.senders import NoticeSender
from powderkeg.server.tables.cache import TableCache


def job_handlers(
    cache: TableCache, processes: BotProcesses, sender: NoticeSender
) -> dict[JobKind, JobHandler]:
    return {
        "bots": partial(play_bots, cache, processes),
        "slow": partial(play_bots, cache, processes),
        "talk": partial(talk_at_table, cache, processes),
        "vote": partial(cast_bot_votes, cache, processes),
        "due": partial(deadlines.fire_deadline, cache),
        "near": partial(deadlines.send_reminders, cache),
        "resume": partial(deadlines.end_pause, cache),
        "expire": partial(deadlines.expire_votes, cache),
        "notices": sender.send_waiting,
    }
