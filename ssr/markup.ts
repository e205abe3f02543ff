import { Writable } from 'node:stream';

/**
 * Collects what React writes and hands it over at each `flush`, which React calls between tags. The markup stays bytes:
 * as text it would be decoded here and encoded again for the socket.
 */
export class MarkupBatches extends Writable {
  private batch: Uint8Array[] = [];

  constructor(
    private readonly onMarkup: (markup: Buffer) => void,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override write(chunk: string | Uint8Array): boolean {
    this.batch.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const markup = Buffer.concat(this.batch);
    this.batch = [];
    this.onMarkup(markup);
  }

  /** Reports the end in the same tick, so that it leaves in one write with the last markup. */
  override end(): this {
    this.flush();
    this.onEnd();
    return this;
  }
}
