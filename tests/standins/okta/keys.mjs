// Authenticators in software: a security key, and the codes of an app.
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SITE } from './client.mjs';

const sha256 = (data) => createHash('sha256').update(data).digest();

function head(major, number) {
  if (number < 24) return Buffer.from([(major << 5) | number]);
  if (number < 256) return Buffer.from([(major << 5) | 24, number]);
  return Buffer.from([(major << 5) | 25, number >> 8, number & 255]);
}

function cbor(value) {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([name, one]) => [cbor(name), cbor(one)]),
  ]);
}

/** Answers in base64, in the form in which the library's helpers read them from a browser's credential. */
export function securityKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = Buffer.from('credential-of-this-key');
  let counter = 0;
  const data = (flags) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256('localhost'), Buffer.from([flags]), count]);
  };
  const said = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: SITE, crossOrigin: false }));
  return {
    create(challenge) {
      const cose = cbor(
        new Map([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const authData = Buffer.concat([data(0x41), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const attestation = cbor(
        new Map([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      const clientDataJSON = said('webauthn.create', challenge);
      return { id: id.toString('base64url'), response: { clientDataJSON, attestationObject: attestation } };
    },
    get(challenge) {
      const clientDataJSON = said('webauthn.get', challenge);
      const authenticatorData = data(0x01);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return { id: id.toString('base64url'), response: { clientDataJSON, authenticatorData, signature } };
    },
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 6238, six digits of 30 seconds; `ahead` steps later than now. */
export function appCode(secret, ahead = 0) {
  const bits = [...secret].map((one) => LETTERS.indexOf(one).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const made = createHmac('sha1', key).update(step).digest();
  const at = made[19] & 15;
  return String((made.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
