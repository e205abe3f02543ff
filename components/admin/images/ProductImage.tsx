import { setProductImage } from '../../api/admin/images';
import { useRefresh } from '../../api/session/privatePage';
import type { ProductImageProps } from '../../contracts/schema';
import { notify } from '../../ui/toasts/toasts';
import { ImagePicker } from './ImagePicker';

/** The picture of a course or a shop item, as on its page, in lists and where its address is shared. */
export function ProductImage({ frame, picture, isGenerated }: ProductImageProps) {
  const refresh = useRefresh();
  return (
    <section className="area-box product-image" aria-label="Picture">
      <p>
        {isGenerated
          ? 'The shop made this picture of the name and the category. Yours replaces it.'
          : `It shows: ${picture.alt}`}
      </p>
      <p className="hint">
        It is shown on the page, in lists, and where people share the address. 1600 × 900 pixels fit best.
      </p>
      <ImagePicker
        key={picture.src}
        current={picture}
        label="New picture"
        button="Use this picture"
        onPick={async (sent) => {
          await setProductImage(frame.courseId, { imageId: sent.id, alt: sent.alt });
          void notify('success', 'The picture is in use.');
          refresh().catch(() => undefined);
        }}
      />
    </section>
  );
}
