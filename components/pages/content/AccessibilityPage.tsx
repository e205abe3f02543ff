export { LegalArticle as AccessibilityPage } from '../../content/LegalArticle';
