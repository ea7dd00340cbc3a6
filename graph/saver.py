"""The checkpoints of our own runs: one SQLite saver for invoke and ainvoke, compressed, beside the store."""

from __future__ import annotations

import asyncio
import sqlite3
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from scrubjay.stores.errors import CheckpointError
from scrubjay.stores.sqlite.connections import switch_to_log
from scrubjay.stores.sqlite.header import check_companion
from scrubjay.stores.sqlite.paths import MEMORY
from scrubjay.stores.sqlite.transactions import translated

APPLICATION_ID = 0x53435243
"""what `PRAGMA application_id` says of our checkpoints, "SCRC" """
TABLES = {"checkpoints", "writes"}
LEVEL, SMALL = 3, 300
"""zlib's level, and bytes up to which a value is left alone"""
BUSY = 10.0
"""seconds to wait for another process"""


class Zlib:
    """Compression in the place where the serializer takes a cipher: the one hook that strict mode knows."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Most values are a few bytes of one channel, where setting zlib up costs more than it saves."""
        return ("zlib", zlib.compress(plaintext, LEVEL)) if len(plaintext) > SMALL else ("none", plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        return ciphertext if ciphername == "none" else zlib.decompress(ciphertext)


@contextmanager
def told(path: str) -> Iterator[None]:
    """What fails in here (disk, file, a value that cannot be packed) leaves as CheckpointError and names the file."""
    try:
        yield
    except Exception as error:
        raise CheckpointError(f"the checkpoints in {path} failed ({type(error).__name__}: {error})") from error


class TwoWaySaver(SqliteSaver):
    """Async methods call the sync ones: AsyncSqliteSaver must be made inside a running loop and is half as fast.

    All methods raise CheckpointError, so that whoever runs a graph can tell its saver's failures from its nodes'.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, serde: SerializerProtocol) -> None:
        super().__init__(connection, serde=serde)
        self.path = path

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        with told(self.path):
            return super().get_tuple(config)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        with told(self.path):
            found = [*super().list(config, filter=filter, before=before, limit=limit)]
        yield from found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        with told(self.path):
            return super().put(config, checkpoint, metadata, new_versions)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        with told(self.path):
            super().put_writes(config, writes, task_id, task_path)

    def delete_thread(self, thread_id: str) -> None:
        with told(self.path):
            super().delete_thread(thread_id)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        for item in self.list(config, filter=filter, before=before, limit=limit):
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)


def open_saver(path: str) -> TwoWaySaver:
    """On a connection of its own, since its cursor commits even after an error.

    Raises StoreUnreadable for a file that is not ours, which is left untouched, and StoreError where it cannot be made.
    """
    if path != MEMORY:
        check_companion(Path(path), APPLICATION_ID, TABLES)
    serde = EncryptedSerializer(Zlib(), JsonPlusSerializer(allowed_msgpack_modules=None))
    with translated(path):
        connection = sqlite3.connect(path, check_same_thread=False, timeout=BUSY)
        try:
            prepare(connection, path)
            saver = TwoWaySaver(connection, path, serde)
            saver.setup()
        except BaseException:
            connection.close()
            raise
        return saver


def prepare(connection: sqlite3.Connection, path: str) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    switch_to_log(connection, path, BUSY)
    connection.execute("PRAGMA synchronous=NORMAL")
