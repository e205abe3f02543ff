import { performance } from 'node:perf_hooks';

declare const BUILD_ID: string;

/** How often the lag is measured, and how long its maximum is kept. */
const TICK_MS = 100;
const WINDOW_MS = 10_000;

/** The figures of a worker in its reply to a ping (docs/contracts.md, "render"). Totals count since its start. */
export type Status = {
  jobs: number;
  rss: number;
  build: string;
  rendered: number;
  failed: number;
  renderMs: number;
  busyMs: number;
  lagMs: number;
};

/** Totals of the renders of this process. */
export class RenderTotals {
  rendered = 0;
  failed = 0;
  renderMs = 0;

  status(jobs: number, lag: LoopLag): Status {
    const { rendered, failed, renderMs } = this;
    return {
      jobs,
      rss: process.memoryUsage.rss(),
      build: BUILD_ID,
      rendered,
      failed,
      renderMs: Math.round(renderMs),
      busyMs: Math.round(performance.eventLoopUtilization().active),
      lagMs: Math.round(lag.longestMs()),
    };
  }
}

/** The longest delay of a timer in the last 10 to 20 s: for so long no frame was read. */
export class LoopLag {
  private expectedAt: number;
  private windowEndsAt: number;
  private longest = 0;
  private longestBefore = 0;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.expectedAt = now() + TICK_MS;
    this.windowEndsAt = now() + WINDOW_MS;
  }

  start(): void {
    setInterval(this.tick, TICK_MS).unref();
  }

  readonly tick = (): void => {
    const at = this.now();
    if (at >= this.windowEndsAt) {
      this.longestBefore = this.longest;
      this.longest = 0;
      this.windowEndsAt = at + WINDOW_MS;
    }
    this.longest = Math.max(this.longest, at - this.expectedAt);
    this.expectedAt = at + TICK_MS;
  };

  longestMs(): number {
    return Math.max(this.longest, this.longestBefore);
  }
}
