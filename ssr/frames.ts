// Frames of docs/contracts.md, "render": length (4 bytes), type (1), job (4), payload.

const HEADER_LENGTH = 9;
/** Bytes after the length field. */
export const MAX_FRAME = 16 * 1024 * 1024;

export type Frame = { type: string; job: number; payload: Buffer };

export function frame(type: string, job: number, payload: string | Buffer = ''): Buffer {
  const size = Buffer.byteLength(payload);
  const buffer = Buffer.allocUnsafe(HEADER_LENGTH + size);
  buffer.writeUInt32BE(size + 5, 0);
  buffer.write(type, 4, 'latin1');
  buffer.writeUInt32BE(job, 5);
  if (typeof payload === 'string') buffer.write(payload, HEADER_LENGTH, 'utf8');
  else payload.copy(buffer, HEADER_LENGTH);
  return buffer;
}

export class BadFrame extends Error {
  override name = 'BadFrame';
}

/** Splits a byte stream into frames. Throws BadFrame when a length is impossible. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  read(data: Buffer): Frame[] {
    this.pending = this.pending.length === 0 ? data : Buffer.concat([this.pending, data]);
    const frames: Frame[] = [];
    let offset = 0;
    while (this.pending.length - offset >= HEADER_LENGTH) {
      const length = this.pending.readUInt32BE(offset);
      if (length < 5 || length > MAX_FRAME) throw new BadFrame(`a frame of ${length} bytes`);
      if (this.pending.length - offset < length + 4) break;
      frames.push({
        type: String.fromCharCode(this.pending[offset + 4] ?? 0),
        job: this.pending.readUInt32BE(offset + 5),
        payload: this.pending.subarray(offset + HEADER_LENGTH, offset + 4 + length),
      });
      offset += length + 4;
    }
    this.pending = this.pending.subarray(offset);
    return frames;
  }
}
