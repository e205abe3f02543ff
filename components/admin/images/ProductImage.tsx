import { setProductImage } from '../../api/admin/images';
import { ImagePicker, type PickedImage } from './ImagePicker';

type ProductImageProps = { productId: number; image: PickedImage | null };

/** The picture of a course or a shop item, as on its page. */
export function ProductImage({ productId, image }: ProductImageProps) {
  return (
    <ImagePicker
      current={image}
      label="New picture"
      button="Use this picture"
      onPick={(sent) => setProductImage(productId, { imageId: sent.id, alt: sent.alt })}
    />
  );
}
