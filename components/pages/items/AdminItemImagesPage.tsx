import { ProductImagePage } from '../../admin/images/ProductImagePage';
import type { ProductImageProps } from '../../contracts/schema';

export function AdminItemImagesPage(props: ProductImageProps) {
  return <ProductImagePage {...props} />;
}
