/**
 * Jobs that wait to be rendered, in their order. A render is synchronous: one runs in each turn of the event loop, so that
 * between two of them frames are read. A job that was cancelled meanwhile is dropped, and a ping is answered.
 */
export class RenderQueue {
  private readonly waiting: (() => boolean)[] = [];
  private isScheduled = false;

  get size(): number {
    return this.waiting.length;
  }

  /** Adds a job. `work` renders it and must not throw; it returns false if the job was cancelled before. */
  add(work: () => boolean): void {
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
    let hasRendered = false;
    while (!hasRendered && this.waiting.length > 0) hasRendered = this.waiting.shift()?.() ?? false;
    if (this.waiting.length > 0) this.schedule();
  };
}
