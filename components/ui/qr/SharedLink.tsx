import { type ComponentType, useEffect, useState } from 'react';
import { copyText } from '../../browser/navigation';
import { Button } from '../controls/Button';
import { loadOrReload } from '../loading/lazyModule';
import type { QRCodeProps } from './QRCode';

/** A link as text to copy, and as a QR code for print. */
export function SharedLink({ link }: { link: string }) {
  const [Code, setCode] = useState<ComponentType<QRCodeProps> | null>(null);
  const [answer, setAnswer] = useState('');

  useEffect(() => {
    // The link beside it works without.
    loadOrReload(import('./QRCode')).then(
      ({ QRCode }) => setCode(() => QRCode),
      () => undefined,
    );
  }, []);

  async function copy() {
    setAnswer((await copyText(link)) ? 'Copied.' : 'Copying was refused: select the link instead.');
  }

  return (
    <>
      <p className="shared-link__address">{link}</p>
      <div className="shared-link__code">{Code && <Code text={link} label={`QR code of ${link}`} />}</div>
      <div>
        <Button variant="quiet" onClick={() => void copy()}>
          Copy the link
        </Button>
      </div>
      <p className="hint" role="status">
        {answer}
      </p>
    </>
  );
}
