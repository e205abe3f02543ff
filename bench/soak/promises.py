"""What the shop accepts of learners and staff beside orders and visits: finished lessons, and pictures. Whoever gets no
response sends again, as the browser does."""

import asyncio
import base64
import hashlib
import io
import json
import random
import time
from contextlib import suppress
from typing import Any
from uuid import uuid4

import aiohttp
from PIL import Image

from bench.soak.people import Staff
from tests.support.faults.buyers import Buyer
from tests.support.site import Site
from tests.support.waiting import until

RETRY_S, PAUSE_S = 0.3, 0.2
PICTURE_PAUSE_S = 5.0
# For a picture from its upload until the worker has converted it, with every part away once meanwhile.
PATIENCE_S = 120.0
PICTURE_PX = 320


class Studying:
    """A learner who finishes lessons and takes that back. `accepted`: lesson -> the time of the newest change that was
    accepted, in ms, and whether it was finished then."""

    def __init__(self, site: Site, buyer: Buyer, slug: str):
        self._site, self.buyer, self.slug = site, buyer, slug
        self._chance = random.Random(7)
        self.accepted: dict[int, tuple[int, bool]] = {}
        self.changes = 0
        self._goes_on = True

    def stop(self) -> None:
        self._goes_on = False

    async def run(self) -> None:
        """Until it is stopped; what was sent is accepted then, as it is sent again until it is."""
        lessons = await asyncio.to_thread(self._site.query, LESSONS, self.slug)
        while self._goes_on:
            [lesson] = self._chance.choice(lessons)
            at, is_done = int(time.time() * 1000), self._chance.random() < 0.7
            changes = [{"lesson": lesson, "at": at, "done": is_done}]
            body = {"learnerId": self.buyer.learner, "changes": changes}
            await self._send(body)
            self.accepted[lesson] = at, is_done
            self.changes += 1
            await asyncio.sleep(PAUSE_S)

    async def _send(self, body: dict[str, Any]) -> None:
        while (await self.buyer.call("PUT", "learning/progress", body))[0] != 200:
            await asyncio.sleep(RETRY_S)

    def differences(self) -> list[str]:
        rows = self._site.query(
            "SELECT lesson_id, is_done FROM lesson_progress WHERE learner_id = ?", self.buyer.learner
        )
        stored = {lesson: bool(is_done) for lesson, is_done in rows}
        return [
            f"lesson {lesson} is stored as {stored.get(lesson)} and was accepted as {is_done}"
            for lesson, (_, is_done) in self.accepted.items()
            if stored.get(lesson) != is_done
        ]


# Whether a quiz is finished follows from its attempts alone.
LESSONS = (
    "SELECT l.id FROM lessons l JOIN products p ON p.id = l.course_id"
    " WHERE p.slug = ? AND l.withdrawn_at IS NULL AND l.kind <> 'quiz' ORDER BY l.id"
)


class Pictures:
    """An editor who sends pictures, each another one. `ready`: the addresses of those that the shop says are ready."""

    def __init__(self, http: aiohttp.ClientSession, staff: Staff):
        self._http, self._headers = http, staff.headers
        self._chance = random.Random(5)
        self.ready: list[str] = []
        self.failed: list[str] = []
        self._goes_on = True

    def stop(self) -> None:
        self._goes_on = False

    async def run(self) -> None:
        """Until it is stopped; the last picture has ended then."""
        while self._goes_on:
            await self.send()
            await asyncio.sleep(PICTURE_PAUSE_S)

    async def send(self) -> None:
        """One picture, until it is ready."""
        content = self._picture()
        about = {"name": "noise.jpg", "bytes": len(content), "purpose": "image"}
        upload = (await self._until("POST", "uploads", about))["id"]
        await self._put_part(upload, content)
        whole = base64.b64encode(hashlib.sha256(hashlib.sha256(content).digest()).digest()).decode()
        await self._until("POST", f"uploads/{upload}/complete", {"digest": whole})
        request = {"uploadId": upload, "alt": "Noise", "idempotencyKey": uuid4().hex}
        job = (await self._until("POST", "admin/images", request))["id"]
        state = await until(lambda: self._ended(job), PATIENCE_S, RETRY_S)
        if state["state"] == "done":
            self.ready.append(state["image"]["src"])
        else:
            self.failed.append(str(state))

    async def _ended(self, job: int) -> dict[str, Any] | None:
        state = await self._until("GET", f"admin/images/{job}")
        return state if state["state"] in ("done", "failed") else None

    async def _put_part(self, upload: int, content: bytes) -> None:
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        about = {"Content-Digest": f"sha-256=:{digest}:", "Content-Type": "application/octet-stream"}
        headers = {**self._headers, **about}

        async def is_put() -> bool:
            with suppress(aiohttp.ClientError, TimeoutError, OSError):
                path = f"/api/uploads/{upload}/parts/0"
                async with self._http.put(path, data=content, headers=headers) as response:
                    return response.status == 200
            return False

        await until(is_put, PATIENCE_S, RETRY_S)

    async def _until(self, method: str, name: str, body: Any = None) -> dict[str, Any]:
        """The JSON of the first response that is no refusal of a busy shop."""

        async def answer() -> dict[str, Any] | None:
            with suppress(aiohttp.ClientError, TimeoutError, OSError, json.JSONDecodeError):
                async with self._http.request(method, f"/api/{name}", json=body, headers=self._headers) as response:
                    if response.status in (200, 201):
                        found: dict[str, Any] = await response.json()
                        return found
            return None

        found: dict[str, Any] = await until(answer, PATIENCE_S, RETRY_S)
        return found

    def _picture(self) -> bytes:
        image, out = Image.frombytes("L", (16, 16), self._chance.randbytes(256)), io.BytesIO()
        image.resize((PICTURE_PX, PICTURE_PX)).convert("RGB").save(out, "JPEG")
        return out.getvalue()

    async def differences(self) -> list[str]:
        """Pictures that failed, and those that are ready and that the shop does not show."""
        wrong = [f"a picture failed: {text}" for text in self.failed]
        for src in self.ready:
            async with self._http.get(src) as response:
                if response.status != 200 or (await response.read())[8:12] != b"WEBP":
                    wrong.append(f"{src}: status {response.status}")
        return wrong
