import { type ComponentType, useId, useState } from 'react';
import { Icon, type IconName } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import type { QRCodeProps } from '../../ui/qr/QRCode';

type ShowQRProps = { text: string; label: string; buttonText: string; hint?: string; icon?: IconName };

/** A button that shows a QR code above the page. Its code loads when it is first wanted. */
export function ShowQR({ text, label, buttonText, hint, icon }: ShowQRProps) {
  const id = useId();
  const [Code, setCode] = useState<ComponentType<QRCodeProps> | null>(null);

  function load() {
    loadOrReload(import('../../ui/qr/QRCode')).then(
      ({ QRCode }) => setCode(() => QRCode),
      // The address beside it works without.
      () => undefined,
    );
  }

  return (
    <>
      <button type="button" className="button button--quiet" popoverTarget={id} onClick={load}>
        {icon && <Icon name={icon} />}
        {buttonText}
      </button>
      <div id={id} className="qr popover-nav stack" popover="auto" role="dialog" aria-label={buttonText}>
        <div className="qr__code">{Code && <Code text={text} label={label} />}</div>
        {hint && <p className="hint">{hint}</p>}
        <p className="hint qr__address">{text}</p>
        <button type="button" className="button button--quiet" popoverTarget={id} popoverTargetAction="hide">
          Close
        </button>
      </div>
    </>
  );
}
