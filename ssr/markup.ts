import { Writable } from 'node:stream';

/**
 * Takes React's writes; `flush`, which React calls after each batch, hands over markup that never cuts a tag. The bytes
 * stay bytes: as text between, they would be decoded and encoded once more.
 */
export class Batches extends Writable {
  private batch: Uint8Array[] = [];

  constructor(
    private readonly onMarkup: (markup: Buffer) => void,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override write(piece: string | Uint8Array): boolean {
    this.batch.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    return true;
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const markup = Buffer.concat(this.batch);
    this.batch = [];
    this.onMarkup(markup);
  }

  /** React's last word. Said on at once, so that it leaves with the markup before it. */
  override end(): this {
    this.flush();
    this.onEnd();
    return this;
  }
}
