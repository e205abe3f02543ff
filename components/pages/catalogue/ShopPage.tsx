import { cardAction } from '../../cart/buttons/AddButton';
import { Results } from '../../catalogue/list/Results';
import type { ShopProps } from '../../contracts/schema';

export function ShopPage(props: ShopProps) {
  return (
    <>
      <div className="shop-head band">
        <div className="shop-head__inner">
          <h1>{props.heading}</h1>
          {props.intro && <p className="shop-head__intro">{props.intro}</p>}
        </div>
      </div>
      <Results {...props} action={cardAction} />
    </>
  );
}
