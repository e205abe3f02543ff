/** How long one turn of the event loop renders. One write then takes the markup of several pages to the host. */
const TURN_MS = 10;

/**
 * Jobs that wait to be rendered, in their order. A render is synchronous: frames are read after every TURN_MS, or after
 * each longer render. A job that was cancelled meanwhile is dropped, and a ping is answered.
 */
export class RenderQueue {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Adds a job. `work` renders it, unless it was cancelled, and must not throw. */
  add(work: () => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.run);
  }

  private readonly run = (): void => {
    this.isScheduled = false;
    const until = this.now() + TURN_MS;
    do this.waiting.shift()?.();
    while (this.waiting.length > 0 && this.now() < until);
    if (this.waiting.length > 0) this.schedule();
  };
}
