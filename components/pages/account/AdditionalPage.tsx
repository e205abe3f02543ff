import { AdditionalView } from '../../account/AdditionalView';

export function AdditionalPage() {
  return <AdditionalView />;
}
