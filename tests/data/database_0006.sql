-- Some tables of a database that a build before the baseline migration made, as SQLite recorded them.
PRAGMA journal_mode = WAL;
CREATE TABLE alembic_version (
  version_num VARCHAR(32) NOT NULL,
  CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE catalogue_version (
  id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  CONSTRAINT pk_catalogue_version PRIMARY KEY (id)
);
CREATE TABLE search_words (
  id INTEGER NOT NULL,
  word VARCHAR(40) NOT NULL,
  shown VARCHAR(40) NOT NULL,
  products INTEGER NOT NULL,
  CONSTRAINT pk_search_words PRIMARY KEY (id),
  CONSTRAINT uq_search_words_word UNIQUE (word)
);
CREATE TABLE search_misspellings (
  remnant INTEGER NOT NULL,
  word_id INTEGER NOT NULL,
  CONSTRAINT pk_search_misspellings PRIMARY KEY (remnant, word_id)
)
 WITHOUT ROWID

;
CREATE TABLE search_postings (
  word_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  impact INTEGER NOT NULL,
  CONSTRAINT pk_search_postings PRIMARY KEY (word_id, product_id)
)
 WITHOUT ROWID

;
CREATE TABLE search_queries (
  id INTEGER NOT NULL,
  at DATETIME NOT NULL,
  "query" VARCHAR(200) NOT NULL,
  results INTEGER NOT NULL,
  answer VARCHAR(10) NOT NULL,
  CONSTRAINT pk_search_queries PRIMARY KEY (id)
);
CREATE TABLE coupons (
  id INTEGER NOT NULL,
  code VARCHAR(191) NOT NULL,
  shown VARCHAR(64) NOT NULL,
  kind VARCHAR(10) NOT NULL,
  value BIGINT NOT NULL,
  minimum BIGINT NOT NULL,
  covers VARCHAR(10) NOT NULL,
  category_id INTEGER,
  starts_at DATETIME,
  ends_at DATETIME,
  total_limit INTEGER,
  learner_limit INTEGER,
  organisation_id INTEGER,
  is_special BOOLEAN NOT NULL,
  campaign VARCHAR(100) NOT NULL,
  state VARCHAR(10) NOT NULL,
  uses INTEGER NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_coupons PRIMARY KEY (id),
  CONSTRAINT ck_coupons_covers CHECK (covers IN ('all', 'course', 'item', 'category')),
  CONSTRAINT ck_coupons_kind CHECK (kind IN ('percent', 'amount')),
  CONSTRAINT ck_coupons_state CHECK (state IN ('draft', 'active', 'paused', 'ended')),
  CONSTRAINT ck_coupons_amounts CHECK (value > 0 AND minimum >= 0 AND uses >= 0),
  CONSTRAINT fk_coupons_category_id_categories FOREIGN KEY(category_id) REFERENCES categories (id),
  CONSTRAINT fk_coupons_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id),
  CONSTRAINT uq_coupons_code UNIQUE (code)
);
INSERT INTO alembic_version VALUES ('0006');
INSERT INTO catalogue_version VALUES (1, 7);
INSERT INTO search_words VALUES (1, 'vat', 'VAT', 3);
INSERT INTO search_misspellings VALUES (42, 1);
INSERT INTO coupons (id, code, shown, kind, value, minimum, covers, is_special, campaign, state, uses, created_at)
  VALUES (1, 'spring', 'Spring', 'percent', 1000, 0, 'all', 0, '', 'active', 0, '2026-03-01 12:00:00.000000');
