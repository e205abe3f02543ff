import { useRef, useState } from 'react';
import { setEntryImage } from '../../api/admin/categories';
import { useRefresh } from '../../api/session/privatePage';
import type { CatalogueEntryImage, EntryEditProps } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { ImagePicker } from '../images/ImagePicker';
import type { EntryKind } from './entryKinds';

type EntryImageProps = { kind: EntryKind; entry: Pick<EntryEditProps, 'entryId' | 'picture'> };

/** The picture of a category or an instructor, as the shop shows it. */
export function EntryImage({ kind: { list, pictureHint }, entry: { entryId, picture } }: EntryImageProps) {
  const call = useCall();
  const refresh = useRefresh();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function store(body: CatalogueEntryImage) {
    const { text } = await setEntryImage(list, entryId, body);
    void notify('success', text);
    // The buttons that were pressed leave the page with what they changed.
    heading.current?.focus();
    // The change is made; what is shown is loaded again with the next page at the latest.
    refresh().catch(() => undefined);
  }

  return (
    <section className="area-box product-image" aria-label="Picture">
      <h2 className="heading-s" ref={heading} tabIndex={-1}>
        Picture
      </h2>
      <p className="hint">{pictureHint}</p>
      <CallError call={call} />
      <ImagePicker
        key={picture?.src}
        current={picture}
        label={picture ? 'Another picture' : 'Picture'}
        button="Use this picture"
        onPick={(sent) => store({ imageId: sent.id, alt: sent.alt })}
      />
      {picture && (
        <div className="row">
          <Button variant="quiet" isBusy={call.isBusy} busyText="Removing…" onClick={() => setIsAsking(true)}>
            Remove picture
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          question="Remove the picture?"
          text="It is deleted for good, unless something else on the site shows it too."
          yes="Remove"
          no="Cancel"
          onYes={() => void call.run(() => store({ imageId: null, alt: '' }))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </section>
  );
}
