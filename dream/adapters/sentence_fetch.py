"""Fetches a model of the Hugging Face hub into a folder; called by `dream init --models` and by nothing else."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from dream.adapters.sentence import OFFLINE, there
from dream.errors import ModelUnavailable

WANTED = ("*.json", "*.txt", "*.model", "*.safetensors", "pytorch_model.bin", "1_Pooling/*", "2_Normalize/*")


def fetch(name: str, folder: Path) -> str:
    """Bring `name` (`BAAI/bge-m3`) into `folder`; `there` or `fetched`. It is put in place once it is whole.

    Raises:
        ModelUnavailable: the hub cannot be reached or has no such model; what was there stays.
    """
    if there(folder):
        return "there"
    if importlib.util.find_spec("huggingface_hub") is None:
        raise ModelUnavailable(f"{name} needs sentence-transformers.", "Install requirements.txt.")
    for variable in OFFLINE:
        os.environ.pop(variable, None)
    from huggingface_hub import snapshot_download

    making = folder.with_name(f".{folder.name}.new")
    try:
        making.mkdir(mode=0o700, parents=True, exist_ok=True)
        snapshot_download(name, local_dir=making, allow_patterns=list(WANTED))
        if not there(making):
            raise ModelUnavailable(f"The hub's {name} holds no weights Dream can use.", "Name another model.")
        shutil.rmtree(folder, ignore_errors=True)
        making.rename(folder)
    except (OSError, ValueError) as error:  # what the hub's library raises are OSErrors and ValueErrors
        said = str(error).strip().splitlines()[0][:160] if str(error).strip() else type(error).__name__
        raise ModelUnavailable(f"{name} could not be fetched ({said}).", "Go online, then run it again.") from error
    return "fetched"
