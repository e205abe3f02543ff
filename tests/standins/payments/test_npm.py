"""The unmodified package of npm against the gateway: every case of npm/ in one Node."""

import asyncio
import json
import shutil
from pathlib import Path

from tests.standins.payments.shop import Shop, Webhook
from tests.support.servers import free_port

RUN = Path(__file__).parent / "npm" / "run.mjs"
NODE = shutil.which("node") or "node"
CASES, DEADLINE_S = 35, 120


class NodeWebhook(Webhook):
    """It listens in Node."""

    async def start(self) -> str:
        self.port = free_port()
        return f"http://127.0.0.1:{self.port}/webhooks/payments"


async def test_the_package_of_npm_works_with_the_gateway(tmp_path):
    shop = Shop(tmp_path, NodeWebhook())
    await shop.start()
    command = (NODE, str(RUN), shop.origin, str(shop.webhook.port))
    node = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(DEADLINE_S):
            output, _ = await node.communicate()
    finally:
        if node.returncode is None:
            node.kill()
            await node.wait()
        await shop.stop()
    results = json.loads(output)
    assert {name: error for name, error in results.items() if error is not None} == {}
    assert len(results) == CASES
