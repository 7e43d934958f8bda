"""A contract as JSON, in the words of the package format: `{"number": {"round": 7}}`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, assert_never

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple


def contract_json(contract: Contract) -> dict[str, Any]:
    """Exactly one key names the kind; options that have their default are left out."""
    match contract:
        case Leaf():
            return {contract.kind: _options(contract, "kind", "guard")}
        case Dict():
            return {"dict": {name: contract_json(item) for name, item in contract.fields}}
        case DictOf():
            return {"dict_of": contract_json(contract.item), **_options(contract, "item")}
        case Tuple():
            return {"tuple": [contract_json(item) for item in contract.items]}
        case List():
            return {"list": [contract_json(item) for item in contract.items]}
        case ListOf():
            return {"list_of": contract_json(contract.item), **_options(contract, "item")}
        case AnySequence():
            return {"any_sequence": contract_json(contract.item), **_options(contract, "item")}
        case _:
            assert_never(contract)


def _options(contract: Leaf | DictOf | ListOf | AnySequence, *without: str) -> dict[str, Any]:
    options = {}
    for field in fields(contract):
        value = getattr(contract, field.name)
        if field.name not in without and value != field.default:
            options[field.name] = list(value) if isinstance(value, tuple) else value
    return options
