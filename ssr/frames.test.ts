/** @jest-environment node */
import { BadFrame, type Frame, FrameReader, frame, MAX_FRAME } from './frames';

const contents = (frames: Frame[]) =>
  frames.map(({ type, job, payload }) => [type, job, payload.toString('utf8')]);
const bytes = Buffer.concat([
  frame('J', 7, '{"a":"é€😀"}'),
  frame('P', 0),
  frame('D', 4294967295, Buffer.from('x')),
]);
const expected = [
  ['J', 7, '{"a":"é€😀"}'],
  ['P', 0, ''],
  ['D', 4294967295, 'x'],
];

test('a frame is length, type, job and payload', () => {
  expect(frame('C', 258, 'ab')).toEqual(Buffer.from([0, 0, 0, 7, 0x43, 0, 0, 1, 2, 0x61, 0x62]));
});

test('frames that arrive in one piece are separated', () => {
  expect(contents(new FrameReader().read(bytes))).toEqual(expected);
});

test('the stream may be split anywhere', () => {
  for (let offset = 0; offset <= bytes.length; offset += 1) {
    const reader = new FrameReader();
    const frames = [...reader.read(bytes.subarray(0, offset)), ...reader.read(bytes.subarray(offset))];
    expect(contents(frames)).toEqual(expected);
  }
});

test('even byte by byte', () => {
  const reader = new FrameReader();
  const frames = [...bytes].flatMap((byte) => reader.read(Buffer.from([byte])));
  expect(contents(frames)).toEqual(expected);
});

test.each([
  ['one byte more than allowed', MAX_FRAME + 1],
  ['the largest 32-bit number', 0xffffffff],
  ['a length shorter than its own header', 4],
  ['length zero', 0],
])('a frame of %s is refused without waiting for its payload', (_, length) => {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(length, 0);
  expect(() => new FrameReader().read(head)).toThrow(BadFrame);
});

test('the largest frame is accepted', () => {
  const [largest] = new FrameReader().read(frame('J', 1, Buffer.alloc(MAX_FRAME - 5, 0x20)));
  expect(largest?.payload.length).toBe(MAX_FRAME - 5);
});

test('an unknown type is passed on; the server rejects it', () => {
  expect(contents(new FrameReader().read(frame('Z', 1)))).toEqual([['Z', 1, '']]);
});
