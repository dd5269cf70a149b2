"""CLINC150: short requests to an assistant, with one of 150 intents, or out of scope (Larson et al. 2019)."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random

from graphmem.errors import InvalidInput
from graphmem.measure.evaluate.data import Ask, DataSet, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import json_object, list_of
from graphmem.models import Episode, Outcome

STORED = 10  # training utterances of each intent
ASKED = 4  # test utterances of each intent: 600 of 150
NOVEL = 600  # test utterances that are out of scope


def load(folder: Path, seed: int) -> DataSet:
    """Read ``data_full.json`` and ``domains.json`` of `folder`; the same seed draws the same questions.

    Each memory is an Episode that succeeded, whose task is the utterance and whose domain is that of its intent; the
    intent itself is shown to nobody, and questions are asked without a domain. Stored are the first 10 training
    utterances of each intent, which are less varied than 10 drawn ones; asked are 4 test utterances of each intent and
    600 that are out of scope, drawn at random. All test utterances of an intent are its paraphrases. Raises
    InvalidInput when a file is missing or is another one.
    """
    path = folder / "data_full.json"
    content = json_object(path)
    domains_path = folder / "domains.json"
    listed = json_object(domains_path)
    domain_of = {str(intent): domain for domain in listed for intent in list_of(listed, domain, domains_path)}
    random = Random(seed)  # noqa: S311 - a draw that can be repeated, not a secret
    train, test = (_by_intent(list_of(content, part, path), path) for part in ("train", "test"))
    strange = sorted(set(train) - set(domain_of))
    if strange:
        raise InvalidInput(f"{domains_path} names no domain of intent '{strange[0]}'; take that of the same release")
    known, asks, others = [], [], []
    for intent in sorted(train):
        known += [Known(_episode(text, intent, domain_of[intent]), intent) for text in train[intent][:STORED]]
        shuffled = random.sample(test[intent], len(test[intent]))
        made = [Ask(neutral_id("test", intent, text), text, frozenset({intent})) for text in shuffled]
        asks += made[:ASKED]
        others += made
    novel = [str(text) for text, _ in list_of(content, "oos_test", path)]
    asks += [Ask(neutral_id("novel", text), text, frozenset()) for text in random.sample(novel, min(NOVEL, len(novel)))]
    return DataSet("clinc150", (Stage(tuple(known), tuple(asks)),), novelty=True, paraphrases=tuple(others))


def _episode(text: str, intent: str, domain: str) -> Episode:
    return Episode(id=neutral_id("train", intent, text), task=text, domain=domain, outcome=Outcome.SUCCESS)


def _by_intent(pairs: list[object], path: Path) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise InvalidInput(f"{path} holds something that is no pair of utterance and intent; download it again")
        if str(pair[0]) not in grouped[str(pair[1])]:
            grouped[str(pair[1])].append(str(pair[0]))
    return grouped
