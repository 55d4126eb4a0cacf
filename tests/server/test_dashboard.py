"""The dashboard for hosts asks only for metrics that the server has."""

import json
import re
from pathlib import Path

from powderkeg.server.metrics import METRICS_REGISTRY

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana.json"


def test_every_metric_of_the_dashboard_exists():
    known = {sample.name for metric in METRICS_REGISTRY.collect() for sample in metric.samples}
    known |= {metric.name for metric in METRICS_REGISTRY.collect()}
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    asked = {
        name
        for panel in panels
        for target in panel["targets"]
        for name in re.findall(r"powderkeg_\w+", target["expr"])
    }
    suffixes = re.compile(r"_(bucket|sum|count|total)$")
    assert len(asked) > 10
    assert {suffixes.sub("", name) for name in asked} <= {suffixes.sub("", name) for name in known}
