"""What the API shows of the shipped packages can be sent to it unchanged."""

from __future__ import annotations

import json

from app.problem import Catalogue, arguments
from app.web.problem_schemas import SampleOut
from tests.values import same


def test_the_arguments_of_every_sample_can_be_sent_as_custom_input(catalogue: Catalogue) -> None:
    """A script takes a sample from GET /problems/..., changes a number and sends it to POST /runs."""
    for variant in catalogue.variants:
        for test in variant.tests:
            if test.sample:
                shown = json.loads(SampleOut.of(variant, test).model_dump_json())
                sent = arguments.parse(variant, shown["arguments"])
                assert same(sent, test.contents().arguments), (variant.id, test.name)
