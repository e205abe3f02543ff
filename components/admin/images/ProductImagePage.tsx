import type { ProductImageProps } from '../../contracts/schema';
import { CourseFrame } from '../courses/CourseFrame';
import { ProductImage } from './ProductImage';

/** The tab of a course or a shop item with its picture. */
export function ProductImagePage(props: ProductImageProps) {
  const { frame, picture, mayEdit } = props;
  return (
    <CourseFrame frame={frame}>
      {mayEdit ? (
        <ProductImage {...props} />
      ) : (
        <img className="image-picker__picture" {...picture} alt={picture.alt} />
      )}
    </CourseFrame>
  );
}
