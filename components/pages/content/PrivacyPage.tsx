export { LegalArticle as PrivacyPage } from '../../content/LegalArticle';
