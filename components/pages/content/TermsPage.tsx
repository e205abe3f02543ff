export { LegalArticle as TermsPage } from '../../content/LegalArticle';
