export { LegalArticle as ImprintPage } from '../../content/LegalArticle';
