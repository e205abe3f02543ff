import { Writable } from 'node:stream';

/**
 * Where React's markup collects between two flushes. React turns each piece of text, some 3,000 on a page, into bytes
 * by itself, a third of a streamed page's cost. In the built worker it finds the TextEncoder below in place of Node's
 * (`markupAsText` in buildPlugins.mjs): pieces stay text and become bytes once per batch. Without it (in jest) all is
 * the same, only slower. React writes a batch in one go and always flushes it, so pieces of two pages never meet.
 */
let pieces: (string | Uint8Array)[] = [];

function taken(): Buffer {
  const found = pieces;
  pieces = [];
  if (found.every((piece) => typeof piece === 'string')) return Buffer.from(found.join(''));
  return Buffer.concat(found.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

export class TextEncoder {
  /** React keeps the fixed pieces of its markup in this form. */
  encode(text: string): string {
    return text;
  }

  /** Tells React that all of the text was taken and none of its buffer was filled. */
  encodeInto(text: string): { read: number; written: number } {
    pieces.push(text);
    return { read: text.length, written: 0 };
  }
}

/** Takes React's writes; `flush`, which React calls after each batch, hands over markup that never cuts a tag. */
export class Batches extends Writable {
  constructor(
    private readonly onMarkup: (markup: Buffer) => void,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override write(piece: string | Uint8Array): boolean {
    pieces.push(piece);
    return true;
  }

  flush(): void {
    if (pieces.length > 0) this.onMarkup(taken());
  }

  /** React's last word. Said on at once, so that it leaves with the markup before it. */
  override end(): this {
    this.flush();
    this.onEnd();
    return this;
  }
}
