/** Frames of docs/wire.md: length (4 bytes), type (1), job (4), payload. */

const HEAD = 9;
export const LARGEST_FRAME = 16 * 1024 * 1024;

export type Frame = { type: string; job: number; payload: Buffer };

export function frame(type: string, job: number, payload: string | Buffer = ''): Buffer {
  const size = Buffer.byteLength(payload);
  const made = Buffer.allocUnsafe(HEAD + size);
  made.writeUInt32BE(size + 5, 0);
  made.write(type, 4, 'latin1');
  made.writeUInt32BE(job, 5);
  if (typeof payload === 'string') made.write(payload, HEAD, 'utf8');
  else payload.copy(made, HEAD);
  return made;
}

export class BadFrame extends Error {
  override name = 'BadFrame';
}

/** Cuts a byte stream into frames. Throws BadFrame for what cannot be one. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  read(data: Buffer): Frame[] {
    this.pending = this.pending.length === 0 ? data : Buffer.concat([this.pending, data]);
    const frames: Frame[] = [];
    let at = 0;
    while (this.pending.length - at >= HEAD) {
      const length = this.pending.readUInt32BE(at);
      if (length < 5 || length > LARGEST_FRAME) throw new BadFrame(`a frame of ${length} bytes`);
      if (this.pending.length - at < length + 4) break;
      frames.push({
        type: String.fromCharCode(this.pending[at + 4] ?? 0),
        job: this.pending.readUInt32BE(at + 5),
        payload: this.pending.subarray(at + HEAD, at + 4 + length),
      });
      at += length + 4;
    }
    this.pending = this.pending.subarray(at);
    return frames;
  }
}
