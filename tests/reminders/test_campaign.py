from __future__ import annotations

from pathlib import Path

import pytest

from tests.reminders.campaign import Campaign, first_states, hours_words, report
from tests.reminders.telling import told_words

DAYS, CHANNELS = 3, 12  # `make trust` plays for longer, in more channels


@pytest.mark.prove
async def test_a_campaign_of_days_reaches_everybody_in_their_waking_hours_and_never_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = await first_states(tmp_path)
    campaign = Campaign(tmp_path / "campaign.sqlite3", channels=CHANNELS, days=DAYS, seed=8)
    figures = await campaign.run(states)
    with capsys.disabled():
        print(f"\ncampaign: {report(figures, campaign)}; {hours_words(figures)}; {told_words(figures.told)}")
    assert figures.quiet_pings == []
    assert figures.doubles == []
    assert figures.stuck == []
    assert figures.late == []
    assert figures.steps > 30
    assert figures.ahead > 5
    assert figures.hours
    assert figures.nudges > 5
    assert figures.words
    assert figures.skips
    assert figures.direct
    assert figures.digests
    assert figures.restarts
    assert figures.kills


async def test_a_day_of_a_campaign_pings_nobody_at_night_and_nobody_twice_and_is_the_same_each_time(
    tmp_path: Path,
) -> None:
    states = await first_states(tmp_path)
    traces = set()
    for number in range(2):
        campaign = Campaign(tmp_path / f"campaign{number}.sqlite3", channels=4, days=1, seed=8, twists=0.05)
        figures = await campaign.run(states)
        assert (figures.quiet_pings, figures.doubles, figures.stuck, figures.late) == ([], [], [], [])
        assert figures.told
        assert figures.steps >= 2  # a kill at midday leaves four
        assert figures.nudges or figures.direct
        traces.add(figures.trace)
    assert len(traces) == 1
