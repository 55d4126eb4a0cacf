"""Logs: one line per event, with the game's id; JSON for programs, text on a terminal."""

import logging
import sys

import structlog


def keep_output_clean() -> None:
    """Write logs to standard error only: a command's output is read by programs."""
    structlog.configure(logger_factory=_stderr_logger)


def _stderr_logger(*_args: object) -> structlog.PrintLogger:
    return structlog.PrintLogger(sys.stderr)


def use_logs(*, readable: bool | None = None) -> None:
    """Write logs as JSON for programs, or as plain text on a terminal."""
    on_terminal = sys.stderr.isatty() if readable is None else readable
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    last = plain if on_terminal else structlog.processors.JSONRenderer()  # never local values
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    if not on_terminal:
        shared.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*shared, last],
        logger_factory=_stderr_logger,
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    handler = logging.StreamHandler(sys.stderr)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
