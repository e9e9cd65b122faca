"""What the experiments that train small models share: a tokenizer of their own, and the loss of a batch."""

from collections.abc import Iterable, Sequence

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

END = "<|endoftext|>"


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Tokenizer:
    """Byte-level BPE of the texts, with an end-of-text token of id 0; adds no special tokens.

    Parameters
    ----------
    texts : iterable of str
        What it learns its merges from.
    vocabulary : int
        Number of tokens.

    Returns
    -------
    Tokenizer
        Trained.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=[END], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def loss_of(network: torch.nn.Module, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Mean loss of one batch, in nats a token.

    Parameters
    ----------
    network : torch.nn.Module
        Causal language model of transformers.
    rows : sequence of sequence of int
        Tokens of each text; they are padded at the right, which no token before the padding sees.

    Returns
    -------
    torch.Tensor
        A scalar with its graph.
    """
    ids = torch.zeros((len(rows), max(map(len, rows))), dtype=torch.long)
    labels = torch.full_like(ids, -100)  # the loss leaves out what is labelled so
    for at, row in enumerate(rows):
        ids[at, : len(row)] = labels[at, : len(row)] = torch.tensor(row)
    loss: torch.Tensor = network(input_ids=ids, labels=labels, use_cache=False).loss
    return loss
