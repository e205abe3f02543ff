/** @jest-environment node */
import { BadFrame, type Frame, FrameReader, frame, LARGEST_FRAME } from './frames';

const told = (frames: Frame[]) =>
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

test('frames that arrive together are told apart', () => {
  expect(told(new FrameReader().read(bytes))).toEqual(expected);
});

test('the stream may be split anywhere', () => {
  for (let at = 0; at <= bytes.length; at += 1) {
    const reader = new FrameReader();
    const frames = [...reader.read(bytes.subarray(0, at)), ...reader.read(bytes.subarray(at))];
    expect(told(frames)).toEqual(expected);
  }
});

test('even byte by byte', () => {
  const reader = new FrameReader();
  const frames = [...bytes].flatMap((byte) => reader.read(Buffer.from([byte])));
  expect(told(frames)).toEqual(expected);
});

test.each([
  ['one byte more than allowed', LARGEST_FRAME + 1],
  ['the largest number there is', 0xffffffff],
  ['too short for its own head', 4],
  ['nothing at all', 0],
])('a frame of %s is refused before it is waited for', (_, length) => {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(length, 0);
  expect(() => new FrameReader().read(head)).toThrow(BadFrame);
});

test('the largest frame is taken', () => {
  const [one] = new FrameReader().read(frame('J', 1, Buffer.alloc(LARGEST_FRAME - 5, 0x20)));
  expect(one?.payload.length).toBe(LARGEST_FRAME - 5);
});

test('an unknown type is handed on: the server decides', () => {
  expect(told(new FrameReader().read(frame('Z', 1)))).toEqual([['Z', 1, '']]);
});
