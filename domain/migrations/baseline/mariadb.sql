CREATE TABLE audit_chain (
    id SMALLINT NOT NULL,
    number BIGINT NOT NULL,
    hash VARCHAR(64) COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_audit_chain PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE audit_events (
    id BIGINT NOT NULL AUTO_INCREMENT,
    number BIGINT NOT NULL,
    occurred_at DATETIME(6) NOT NULL,
    actor_id BIGINT,
    area VARCHAR(20) NOT NULL,
    roles JSON NOT NULL,
    organisation_id BIGINT,
    action VARCHAR(60) NOT NULL,
    subject_type VARCHAR(40) NOT NULL,
    subject_id VARCHAR(64) NOT NULL,
    `before` JSON,
    after JSON,
    reason VARCHAR(500) NOT NULL,
    request_id VARCHAR(32) NOT NULL,
    ip_network VARCHAR(50) NOT NULL,
    previous_hash VARCHAR(64) COLLATE ascii_bin NOT NULL,
    hash VARCHAR(64) COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_audit_events PRIMARY KEY (id),
    CONSTRAINT uq_audit_events_number UNIQUE (number)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_audit_events_action_number ON audit_events (action, number);

CREATE INDEX ix_audit_events_actor_id_action_number ON audit_events (actor_id, action, number);

CREATE INDEX ix_audit_events_actor_id_occurred_at ON audit_events (actor_id, occurred_at);

CREATE INDEX ix_audit_events_occurred_at ON audit_events (occurred_at);

CREATE INDEX ix_audit_events_organisation_id_occurred_at ON audit_events (organisation_id, occurred_at);

CREATE INDEX ix_audit_events_subject ON audit_events (subject_type, subject_id, occurred_at);

CREATE INDEX ix_audit_events_subject_action_number ON audit_events (subject_type, subject_id, action, number);

CREATE TABLE catalogue_version (
    id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_catalogue_version PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE categories (
    id BIGINT NOT NULL AUTO_INCREMENT,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    description VARCHAR(500) NOT NULL,
    `position` INTEGER NOT NULL,
    image JSON,
    CONSTRAINT pk_categories PRIMARY KEY (id),
    CONSTRAINT uq_categories_slug UNIQUE (slug)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE contact_messages (
    id BIGINT NOT NULL AUTO_INCREMENT,
    sent_at DATETIME(6) NOT NULL,
    name VARCHAR(120) NOT NULL,
    email VARCHAR(254) NOT NULL,
    subject VARCHAR(160) NOT NULL,
    message TEXT NOT NULL,
    state VARCHAR(10) NOT NULL DEFAULT 'new',
    CONSTRAINT pk_contact_messages PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_contact_messages_state_id ON contact_messages (state, id);

CREATE TABLE dead_letters (
    id BIGINT NOT NULL AUTO_INCREMENT,
    failed_at DATETIME(6) NOT NULL,
    task VARCHAR(100) NOT NULL,
    `body` JSON NOT NULL,
    error TEXT NOT NULL,
    replayed_at DATETIME(6),
    CONSTRAINT pk_dead_letters PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_dead_letters_failed_at ON dead_letters (failed_at);

CREATE TABLE delivery_zones (
    id BIGINT NOT NULL AUTO_INCREMENT,
    name VARCHAR(100) NOT NULL,
    `position` INTEGER NOT NULL,
    CONSTRAINT pk_delivery_zones PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE document_counters (
    kind VARCHAR(12) COLLATE ascii_bin NOT NULL,
    year SMALLINT NOT NULL,
    last INTEGER NOT NULL,
    CONSTRAINT pk_document_counters PRIMARY KEY (kind, year)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE erased_numbers (
    number VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    erased_at DATETIME(6) NOT NULL,
    scanned_to BIGINT NOT NULL,
    is_last_pass BOOL NOT NULL,
    CONSTRAINT pk_erased_numbers PRIMARY KEY (number)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE gateway_cursors (
    gateway VARCHAR(20) NOT NULL,
    listed_until DATETIME(6),
    page VARCHAR(160) COLLATE ascii_bin,
    newest_at DATETIME(6),
    CONSTRAINT pk_gateway_cursors PRIMARY KEY (gateway)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE gateway_events (
    id BIGINT NOT NULL AUTO_INCREMENT,
    gateway VARCHAR(20) NOT NULL,
    event_id VARCHAR(160) COLLATE ascii_bin NOT NULL,
    type VARCHAR(80) NOT NULL,
    object_id VARCHAR(191) COLLATE ascii_bin NOT NULL,
    created_at DATETIME(6) NOT NULL,
    received_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_gateway_events PRIMARY KEY (id),
    CONSTRAINT uq_gateway_events_gateway_event_id UNIQUE (gateway, event_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_gateway_events_gateway_created_at ON gateway_events (gateway, created_at);

CREATE INDEX ix_gateway_events_received_at ON gateway_events (received_at);

CREATE TABLE health_samples (
    id BIGINT NOT NULL AUTO_INCREMENT,
    sampled_at DATETIME(6) NOT NULL,
    process VARCHAR(80) NOT NULL,
    `values` JSON NOT NULL,
    CONSTRAINT pk_health_samples PRIMARY KEY (id),
    CONSTRAINT uq_health_samples_sampled_at_process UNIQUE (sampled_at, process)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE imported_visits (
    site SMALLINT NOT NULL,
    visited_at DATETIME(6) NOT NULL,
    event_id VARCHAR(36) COLLATE ascii_bin NOT NULL,
    session_id VARCHAR(32) COLLATE ascii_bin NOT NULL,
    url VARCHAR(2048) NOT NULL,
    referrer VARCHAR(500) NOT NULL,
    visitor_class VARCHAR(10) COLLATE ascii_bin NOT NULL,
    agent VARCHAR(64) NOT NULL,
    CONSTRAINT pk_imported_visits PRIMARY KEY (site, visited_at, event_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE instructors (
    id BIGINT NOT NULL AUTO_INCREMENT,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    title VARCHAR(255) NOT NULL,
    bio MEDIUMTEXT NOT NULL,
    image JSON,
    CONSTRAINT pk_instructors PRIMARY KEY (id),
    CONSTRAINT uq_instructors_slug UNIQUE (slug)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE learners (
    id BIGINT NOT NULL AUTO_INCREMENT,
    student_number VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    issuer VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    subject VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    email VARCHAR(254) NOT NULL,
    email_verified BOOL NOT NULL DEFAULT false,
    name VARCHAR(255) NOT NULL,
    email_key VARCHAR(254) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
    name_key VARCHAR(255) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
    created_at DATETIME(6) NOT NULL,
    visits_erased_at DATETIME(6),
    CONSTRAINT pk_learners PRIMARY KEY (id),
    CONSTRAINT uq_learners_issuer_subject UNIQUE (issuer, subject),
    CONSTRAINT uq_learners_student_number UNIQUE (student_number)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_learners_email_key ON learners (email_key);

CREATE INDEX ix_learners_name_key ON learners (name_key);

CREATE INDEX ix_learners_visits_erased_at ON learners (visits_erased_at);

CREATE TABLE outbox (
    id BIGINT NOT NULL AUTO_INCREMENT,
    created_at DATETIME(6) NOT NULL,
    topic VARCHAR(20) NOT NULL DEFAULT 'mail',
    task VARCHAR(100) NOT NULL,
    `body` JSON NOT NULL,
    attempts INTEGER NOT NULL DEFAULT '0',
    next_at DATETIME(6) DEFAULT '1970-01-01 00:00:00',
    error TEXT,
    lease_token VARCHAR(32),
    leased_until DATETIME(6),
    done_at DATETIME(6),
    dead_at DATETIME(6),
    CONSTRAINT pk_outbox PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_outbox_topic_done_at_next_at_id ON outbox (topic, done_at, next_at, id);

CREATE INDEX ix_outbox_topic_id ON outbox (topic, id);

CREATE TABLE search_misspellings (
    deletion INTEGER NOT NULL,
    word_id BIGINT NOT NULL,
    CONSTRAINT pk_search_misspellings PRIMARY KEY (deletion, word_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE search_postings (
    word_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    weight INTEGER NOT NULL,
    CONSTRAINT pk_search_postings PRIMARY KEY (word_id, product_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_search_postings_product_id ON search_postings (product_id);

CREATE INDEX ix_search_postings_word_id_weight ON search_postings (word_id, weight);

CREATE TABLE search_queries (
    id BIGINT NOT NULL AUTO_INCREMENT,
    searched_at DATETIME(6) NOT NULL,
    query VARCHAR(200) COLLATE utf8mb4_bin NOT NULL,
    results INTEGER NOT NULL,
    answer VARCHAR(10) NOT NULL,
    CONSTRAINT pk_search_queries PRIMARY KEY (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_search_queries_searched_at ON search_queries (searched_at);

CREATE TABLE search_words (
    id BIGINT NOT NULL AUTO_INCREMENT,
    word VARCHAR(40) COLLATE utf8mb4_bin NOT NULL,
    shown VARCHAR(40) COLLATE utf8mb4_bin NOT NULL,
    products INTEGER NOT NULL,
    CONSTRAINT pk_search_words PRIMARY KEY (id),
    CONSTRAINT uq_search_words_word UNIQUE (word)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE shop_settings (
    id INTEGER NOT NULL,
    uid VARCHAR(36) COLLATE ascii_bin NOT NULL,
    currency VARCHAR(3) NOT NULL,
    CONSTRAINT pk_shop_settings PRIMARY KEY (id),
    CONSTRAINT ck_shop_settings_single CHECK (id = 1)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE sign_in_flows (
    id BIGINT NOT NULL AUTO_INCREMENT,
    cookie_digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    state_digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    encrypted_state MEDIUMTEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_sign_in_flows PRIMARY KEY (id),
    CONSTRAINT uq_sign_in_flows_cookie_digest UNIQUE (cookie_digest),
    CONSTRAINT uq_sign_in_flows_state_digest UNIQUE (state_digest)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_sign_in_flows_expires_at ON sign_in_flows (expires_at);

CREATE TABLE signing_keys (
    thumbprint VARCHAR(64) COLLATE ascii_bin NOT NULL,
    public_jwk JSON NOT NULL,
    since DATETIME(6) NOT NULL,
    until DATETIME(6),
    distrusted_since DATETIME(6),
    distrust_reason VARCHAR(500) NOT NULL DEFAULT '',
    CONSTRAINT pk_signing_keys PRIMARY KEY (thumbprint)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE tax_rates (
    id BIGINT NOT NULL AUTO_INCREMENT,
    country VARCHAR(2) NOT NULL,
    region VARCHAR(200) NOT NULL,
    tax_class VARCHAR(10) NOT NULL,
    label VARCHAR(60) NOT NULL,
    percent NUMERIC(6, 3) NOT NULL,
    replaces BOOL NOT NULL DEFAULT false,
    postal_from VARCHAR(20) NOT NULL DEFAULT '',
    postal_to VARCHAR(20) NOT NULL DEFAULT '',
    starts_on DATE NOT NULL,
    ends_on DATE,
    CONSTRAINT pk_tax_rates PRIMARY KEY (id),
    CONSTRAINT ck_tax_rates_tax_class CHECK (tax_class IN ('service', 'ebook', 'book', 'voucher', 'goods', 'delivery')),
    CONSTRAINT ck_tax_rates_percent CHECK (percent >= 0 AND percent <= 100)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_tax_rates_place ON tax_rates (country, region, tax_class, starts_on);

CREATE TABLE visit_days (
    site SMALLINT NOT NULL,
    dimension VARCHAR(10) COLLATE ascii_bin NOT NULL,
    day DATE NOT NULL,
    audience VARCHAR(10) COLLATE ascii_bin NOT NULL,
    `key` VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    visits BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    confirmed BIGINT NOT NULL,
    possible BIGINT NOT NULL,
    bounces BIGINT NOT NULL,
    timed_sessions BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    reached_product BIGINT NOT NULL,
    reached_cart BIGINT NOT NULL,
    reached_checkout BIGINT NOT NULL,
    reached_order BIGINT NOT NULL,
    reached_payment BIGINT NOT NULL,
    CONSTRAINT pk_visit_days PRIMARY KEY (site, dimension, day, audience, `key`)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE visit_hours (
    site SMALLINT NOT NULL,
    dimension VARCHAR(10) COLLATE ascii_bin NOT NULL,
    day DATE NOT NULL,
    hour DATETIME(6) NOT NULL,
    audience VARCHAR(10) COLLATE ascii_bin NOT NULL,
    `key` VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    visits BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    confirmed BIGINT NOT NULL,
    possible BIGINT NOT NULL,
    bounces BIGINT NOT NULL,
    timed_sessions BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    reached_product BIGINT NOT NULL,
    reached_cart BIGINT NOT NULL,
    reached_checkout BIGINT NOT NULL,
    reached_order BIGINT NOT NULL,
    reached_payment BIGINT NOT NULL,
    CONSTRAINT pk_visit_hours PRIMARY KEY (site, dimension, day, hour, audience, `key`)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE visit_rollups (
    site SMALLINT NOT NULL,
    day DATE NOT NULL,
    visits BIGINT NOT NULL,
    digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    rules_version VARCHAR(40) NOT NULL,
    zone VARCHAR(64) NOT NULL,
    built_at DATETIME(6),
    duration_ms INTEGER NOT NULL,
    dirty_at DATETIME(6),
    checked_at DATETIME(6),
    lease_token VARCHAR(32) COLLATE ascii_bin NOT NULL,
    lease_until DATETIME(6),
    finalised_at DATETIME(6),
    deleted_visits BIGINT NOT NULL DEFAULT '0',
    erased_at DATETIME(6),
    hours_deleted_at DATETIME(6),
    CONSTRAINT pk_visit_rollups PRIMARY KEY (site, day)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE visit_sites (
    id SMALLINT NOT NULL,
    name VARCHAR(64) COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_visit_sites PRIMARY KEY (id),
    CONSTRAINT uq_visit_sites_name UNIQUE (name)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE visitor_signs (
    site SMALLINT NOT NULL,
    hour DATETIME(6) NOT NULL,
    session_id VARCHAR(32) COLLATE ascii_bin NOT NULL,
    signs SMALLINT NOT NULL,
    CONSTRAINT pk_visitor_signs PRIMARY KEY (site, hour, session_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE visits (
    id BIGINT NOT NULL AUTO_INCREMENT,
    event_id VARCHAR(36) COLLATE ascii_bin NOT NULL,
    visited_at DATETIME(6) NOT NULL,
    session_id VARCHAR(64) NOT NULL,
    page VARCHAR(40) NOT NULL,
    url VARCHAR(2048) NOT NULL,
    learner_id BIGINT,
    claimed_id BIGINT,
    coupon_id VARCHAR(64) NOT NULL,
    student_number VARCHAR(64) NOT NULL,
    special_coupon VARCHAR(64) NOT NULL,
    campaign JSON NOT NULL,
    referrer VARCHAR(500) NOT NULL,
    referral_id VARCHAR(36) COLLATE ascii_bin,
    partner VARCHAR(191) NOT NULL DEFAULT '',
    visitor_class VARCHAR(10) NOT NULL,
    source VARCHAR(10) NOT NULL,
    agent VARCHAR(64) NOT NULL,
    address VARCHAR(64) NOT NULL,
    CONSTRAINT pk_visits PRIMARY KEY (id),
    CONSTRAINT uq_visits_event_id UNIQUE (event_id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_visits_claimed_id ON visits (claimed_id);

CREATE INDEX ix_visits_learner_id_visited_at ON visits (learner_id, visited_at);

CREATE INDEX ix_visits_session_id_visited_at ON visits (session_id, visited_at);

CREATE INDEX ix_visits_visited_at ON visits (visited_at);

CREATE TABLE checkout_drafts (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    `values` JSON NOT NULL,
    rendered JSON NOT NULL,
    changed_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_checkout_drafts PRIMARY KEY (id),
    CONSTRAINT uq_checkout_drafts_learner_id UNIQUE (learner_id),
    CONSTRAINT fk_checkout_drafts_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_checkout_drafts_expires_at ON checkout_drafts (expires_at);

CREATE TABLE contact_replies (
    id BIGINT NOT NULL AUTO_INCREMENT,
    message_id BIGINT NOT NULL,
    sent_at DATETIME(6) NOT NULL,
    author_id BIGINT,
    text TEXT NOT NULL,
    CONSTRAINT pk_contact_replies PRIMARY KEY (id),
    CONSTRAINT fk_contact_replies_message_id_contact_messages FOREIGN KEY(message_id) REFERENCES contact_messages (id) ON DELETE CASCADE,
    CONSTRAINT fk_contact_replies_author_id_learners FOREIGN KEY(author_id) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_contact_replies_author_id ON contact_replies (author_id);

CREATE INDEX ix_contact_replies_message_id ON contact_replies (message_id);

CREATE TABLE content_pages (
    id BIGINT NOT NULL AUTO_INCREMENT,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    version INTEGER NOT NULL,
    title VARCHAR(255) NOT NULL,
    description VARCHAR(500) NOT NULL,
    `body` MEDIUMTEXT NOT NULL,
    meta JSON NOT NULL,
    published_at DATETIME(6) NOT NULL,
    published_by BIGINT,
    CONSTRAINT pk_content_pages PRIMARY KEY (id),
    CONSTRAINT uq_content_pages_slug_version UNIQUE (slug, version),
    CONSTRAINT fk_content_pages_published_by_learners FOREIGN KEY(published_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_content_pages_published_by ON content_pages (published_by);

CREATE TABLE delivery_places (
    id BIGINT NOT NULL AUTO_INCREMENT,
    zone_id BIGINT NOT NULL,
    country VARCHAR(2) NOT NULL,
    region VARCHAR(200) NOT NULL,
    CONSTRAINT pk_delivery_places PRIMARY KEY (id),
    CONSTRAINT fk_delivery_places_zone_id_delivery_zones FOREIGN KEY(zone_id) REFERENCES delivery_zones (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_delivery_places_country_region ON delivery_places (country, region);

CREATE INDEX ix_delivery_places_zone_id ON delivery_places (zone_id);

CREATE TABLE delivery_rates (
    id BIGINT NOT NULL AUTO_INCREMENT,
    zone_id BIGINT NOT NULL,
    service VARCHAR(60) NOT NULL,
    from_g INTEGER NOT NULL,
    to_g INTEGER,
    price_minor BIGINT NOT NULL,
    free_from_minor BIGINT,
    days_min INTEGER NOT NULL,
    days_max INTEGER NOT NULL,
    starts_on DATE NOT NULL,
    ends_on DATE,
    CONSTRAINT pk_delivery_rates PRIMARY KEY (id),
    CONSTRAINT ck_delivery_rates_values CHECK (price_minor >= 0 AND from_g >= 0 AND days_min <= days_max),
    CONSTRAINT fk_delivery_rates_zone_id_delivery_zones FOREIGN KEY(zone_id) REFERENCES delivery_zones (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_delivery_rates_zone_id_service ON delivery_rates (zone_id, service);

CREATE TABLE files (
    id BIGINT NOT NULL AUTO_INCREMENT,
    sha256 VARCHAR(64) COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    media_type VARCHAR(100) NOT NULL,
    bytes INTEGER NOT NULL,
    kind VARCHAR(20) NOT NULL,
    width INTEGER,
    height INTEGER,
    duration_s INTEGER,
    created_at DATETIME(6) NOT NULL,
    created_by BIGINT,
    CONSTRAINT pk_files PRIMARY KEY (id),
    CONSTRAINT uq_files_sha256 UNIQUE (sha256),
    CONSTRAINT fk_files_created_by_learners FOREIGN KEY(created_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_files_created_by ON files (created_by);

CREATE TABLE identities (
    id BIGINT NOT NULL AUTO_INCREMENT,
    issuer VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    subject VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    learner_id BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_identities PRIMARY KEY (id),
    CONSTRAINT uq_identities_issuer_subject UNIQUE (issuer, subject),
    CONSTRAINT fk_identities_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_identities_learner_id ON identities (learner_id);

CREATE TABLE images (
    id BIGINT NOT NULL AUTO_INCREMENT,
    sha256 VARCHAR(64) COLLATE ascii_bin NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    sizes JSON NOT NULL,
    name VARCHAR(255) NOT NULL,
    alt VARCHAR(500) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    created_by BIGINT,
    CONSTRAINT pk_images PRIMARY KEY (id),
    CONSTRAINT fk_images_created_by_learners FOREIGN KEY(created_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_images_created_by ON images (created_by);

CREATE INDEX ix_images_sha256 ON images (sha256);

CREATE TABLE jobs (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(30) NOT NULL,
    state VARCHAR(10) NOT NULL,
    processed INTEGER NOT NULL,
    total INTEGER,
    input JSON NOT NULL,
    report JSON NOT NULL,
    idempotency_key VARCHAR(200) COLLATE ascii_bin NOT NULL,
    started_by BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    started_at DATETIME(6),
    ended_at DATETIME(6),
    heartbeat_at DATETIME(6),
    attempts INTEGER NOT NULL DEFAULT '0',
    furthest INTEGER NOT NULL DEFAULT '0',
    CONSTRAINT pk_jobs PRIMARY KEY (id),
    CONSTRAINT ck_jobs_state CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped')),
    CONSTRAINT ck_jobs_processed CHECK (processed >= 0),
    CONSTRAINT uq_jobs_idempotency_key UNIQUE (idempotency_key),
    CONSTRAINT fk_jobs_started_by_learners FOREIGN KEY(started_by) REFERENCES learners (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_jobs_kind_id ON jobs (kind, id);

CREATE INDEX ix_jobs_started_by ON jobs (started_by);

CREATE INDEX ix_jobs_state_kind ON jobs (state, kind);

CREATE TABLE known_addresses (
    learner_id BIGINT NOT NULL,
    `values` JSON NOT NULL,
    ordered_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_known_addresses PRIMARY KEY (learner_id),
    CONSTRAINT fk_known_addresses_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE organisations (
    id BIGINT NOT NULL AUTO_INCREMENT,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    logo VARCHAR(500) NOT NULL,
    domains JSON NOT NULL,
    requested_domains JSON NOT NULL,
    state VARCHAR(20) NOT NULL,
    website VARCHAR(255) NOT NULL DEFAULT '',
    size INTEGER,
    request_text TEXT,
    applied_by BIGINT,
    applied_at DATETIME(6),
    decided_by BIGINT,
    decided_at DATETIME(6),
    version INTEGER NOT NULL DEFAULT '1',
    CONSTRAINT pk_organisations PRIMARY KEY (id),
    CONSTRAINT ck_organisations_state CHECK (state IN ('submitted', 'information', 'approved', 'declined')),
    CONSTRAINT uq_organisations_slug UNIQUE (slug),
    CONSTRAINT fk_organisations_applied_by_learners FOREIGN KEY(applied_by) REFERENCES learners (id) ON DELETE SET NULL,
    CONSTRAINT fk_organisations_decided_by_learners FOREIGN KEY(decided_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_organisations_applied_by ON organisations (applied_by);

CREATE INDEX ix_organisations_decided_by ON organisations (decided_by);

CREATE TABLE products (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) NOT NULL,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    source_id VARCHAR(191) COLLATE utf8mb4_bin,
    name VARCHAR(255) NOT NULL,
    subtitle VARCHAR(500) NOT NULL,
    category_id BIGINT NOT NULL,
    level VARCHAR(20),
    language VARCHAR(10),
    duration_min INTEGER,
    lesson_count INTEGER,
    item_kind VARCHAR(20),
    list_price NUMERIC(13, 3) NOT NULL,
    sale_price NUMERIC(13, 3),
    sale_from DATETIME(6),
    sale_until DATETIME(6),
    lowest_before NUMERIC(13, 3),
    image VARCHAR(500) NOT NULL,
    image_width INTEGER NOT NULL,
    image_height INTEGER NOT NULL,
    image_alt VARCHAR(500) NOT NULL,
    rating NUMERIC(3, 2),
    rating_count INTEGER NOT NULL,
    enrolled INTEGER NOT NULL,
    popularity INTEGER NOT NULL,
    featured SMALLINT NOT NULL,
    status VARCHAR(10) NOT NULL,
    published_at DATETIME(6),
    updated_at DATETIME(6) NOT NULL,
    retired_at DATETIME(6),
    successor_id BIGINT,
    retirement_choice VARCHAR(10) NOT NULL DEFAULT 'auto',
    retirement_reason VARCHAR(500) NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT '1',
    CONSTRAINT pk_products PRIMARY KEY (id),
    CONSTRAINT uq_products_kind_slug UNIQUE (kind, slug),
    CONSTRAINT uq_products_kind_source_id UNIQUE (kind, source_id),
    CONSTRAINT ck_products_kind CHECK (kind IN ('course', 'item')),
    CONSTRAINT ck_products_status CHECK (status IN ('draft', 'scheduled', 'published', 'retired')),
    CONSTRAINT ck_products_prices CHECK (list_price >= 0 AND (sale_price IS NULL OR sale_price >= 0)),
    CONSTRAINT fk_products_category_id_categories FOREIGN KEY(category_id) REFERENCES categories (id),
    CONSTRAINT fk_products_successor_id_products FOREIGN KEY(successor_id) REFERENCES products (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_products_category_popular ON products (category_id, status, popularity, id);

CREATE INDEX ix_products_kind_id ON products (kind, id);

CREATE INDEX ix_products_newest ON products (status, published_at, id);

CREATE INDEX ix_products_popular ON products (status, popularity, id);

CREATE TABLE staff_roles (
    learner_id BIGINT NOT NULL,
    role VARCHAR(20) NOT NULL,
    granted_by BIGINT,
    granted_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_staff_roles PRIMARY KEY (learner_id, role),
    CONSTRAINT fk_staff_roles_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_staff_roles_granted_by_learners FOREIGN KEY(granted_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_staff_roles_granted_by ON staff_roles (granted_by);

CREATE TABLE uploads (
    id BIGINT NOT NULL AUTO_INCREMENT,
    name VARCHAR(255) NOT NULL,
    bytes BIGINT NOT NULL,
    purpose VARCHAR(10) NOT NULL,
    parts TEXT NOT NULL,
    created_by BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    completed_at DATETIME(6),
    CONSTRAINT pk_uploads PRIMARY KEY (id),
    CONSTRAINT ck_uploads_purpose CHECK (purpose IN ('import', 'image', 'lesson', 'members', 'logo')),
    CONSTRAINT ck_uploads_bytes CHECK (bytes > 0),
    CONSTRAINT fk_uploads_created_by_learners FOREIGN KEY(created_by) REFERENCES learners (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_uploads_created_by ON uploads (created_by);

CREATE INDEX ix_uploads_expires_at ON uploads (expires_at);

CREATE TABLE application_messages (
    id BIGINT NOT NULL AUTO_INCREMENT,
    organisation_id BIGINT NOT NULL,
    sent_at DATETIME(6) NOT NULL,
    author_id BIGINT,
    is_staff BOOL NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT pk_application_messages PRIMARY KEY (id),
    CONSTRAINT fk_application_messages_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT fk_application_messages_author_id_learners FOREIGN KEY(author_id) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_application_messages_author_id ON application_messages (author_id);

CREATE INDEX ix_application_messages_organisation_id ON application_messages (organisation_id);

CREATE TABLE bulk_changes (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) NOT NULL,
    chosen_by BIGINT NOT NULL,
    chosen_at DATETIME(6) NOT NULL,
    action VARCHAR(10),
    category VARCHAR(191) COLLATE utf8mb4_bin,
    reason VARCHAR(500) NOT NULL,
    job_id BIGINT,
    undoes_id BIGINT,
    CONSTRAINT pk_bulk_changes PRIMARY KEY (id),
    CONSTRAINT fk_bulk_changes_chosen_by_learners FOREIGN KEY(chosen_by) REFERENCES learners (id),
    CONSTRAINT uq_bulk_changes_job_id UNIQUE (job_id),
    CONSTRAINT fk_bulk_changes_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
    CONSTRAINT uq_bulk_changes_undoes_id UNIQUE (undoes_id),
    CONSTRAINT fk_bulk_changes_undoes_id_bulk_changes FOREIGN KEY(undoes_id) REFERENCES bulk_changes (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_bulk_changes_chosen_by ON bulk_changes (chosen_by);

CREATE TABLE contracts (
    id BIGINT NOT NULL AUTO_INCREMENT,
    organisation_id BIGINT NOT NULL,
    starts_at DATETIME(6) NOT NULL,
    ends_at DATETIME(6),
    seats INTEGER,
    kind VARCHAR(10) NOT NULL,
    value NUMERIC(13, 3) NOT NULL,
    has_all_courses BOOL NOT NULL,
    is_restricted BOOL NOT NULL,
    join_policy VARCHAR(10) NOT NULL,
    seat_kind VARCHAR(10) NOT NULL DEFAULT 'person',
    seat_price NUMERIC(13, 3),
    is_self_service BOOL NOT NULL DEFAULT false,
    join_code VARCHAR(20) COLLATE ascii_bin,
    join_code_uses INTEGER NOT NULL DEFAULT '0',
    start_days INTEGER NOT NULL DEFAULT '30',
    idle_days INTEGER NOT NULL DEFAULT '90',
    shows_names BOOL NOT NULL DEFAULT false,
    frees_completed BOOL NOT NULL DEFAULT false,
    term_days INTEGER,
    joining_gives_seat BOOL NOT NULL DEFAULT false,
    version INTEGER NOT NULL DEFAULT '1',
    CONSTRAINT pk_contracts PRIMARY KEY (id),
    CONSTRAINT ck_contracts_kind CHECK (kind IN ('percent', 'amount', 'price')),
    CONSTRAINT ck_contracts_join_policy CHECK (join_policy IN ('invitation', 'code', 'domain')),
    CONSTRAINT ck_contracts_value CHECK (value >= 0),
    CONSTRAINT ck_contracts_seat_kind CHECK (seat_kind IN ('person', 'course')),
    CONSTRAINT fk_contracts_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT uq_contracts_join_code UNIQUE (join_code)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_contracts_organisation_id ON contracts (organisation_id);

CREATE TABLE counted_learners (
    organisation_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    learner_id BIGINT NOT NULL,
    since VARCHAR(7) COLLATE ascii_bin NOT NULL,
    team VARCHAR(100) NOT NULL,
    is_named BOOL NOT NULL,
    CONSTRAINT pk_counted_learners PRIMARY KEY (organisation_id, product_id, learner_id),
    CONSTRAINT fk_counted_learners_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT fk_counted_learners_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT fk_counted_learners_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_counted_learners_learner_id ON counted_learners (learner_id);

CREATE INDEX ix_counted_learners_product_id ON counted_learners (product_id);

CREATE TABLE coupons (
    id BIGINT NOT NULL AUTO_INCREMENT,
    code VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    display_code VARCHAR(64) NOT NULL,
    kind VARCHAR(10) NOT NULL,
    value NUMERIC(13, 3) NOT NULL,
    minimum NUMERIC(13, 3) NOT NULL,
    applies_to VARCHAR(10) NOT NULL,
    category_id BIGINT,
    starts_at DATETIME(6),
    ends_at DATETIME(6),
    total_limit INTEGER,
    learner_limit INTEGER,
    organisation_id BIGINT,
    is_special BOOL NOT NULL,
    campaign VARCHAR(100) NOT NULL,
    state VARCHAR(10) NOT NULL,
    uses INTEGER NOT NULL,
    batch_id BIGINT,
    created_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_coupons PRIMARY KEY (id),
    CONSTRAINT ck_coupons_kind CHECK (kind IN ('percent', 'amount')),
    CONSTRAINT ck_coupons_applies_to CHECK (applies_to IN ('all', 'course', 'item', 'category')),
    CONSTRAINT ck_coupons_state CHECK (state IN ('draft', 'active', 'paused', 'ended')),
    CONSTRAINT ck_coupons_amounts CHECK (value > 0 AND minimum >= 0 AND uses >= 0),
    CONSTRAINT uq_coupons_code UNIQUE (code),
    CONSTRAINT fk_coupons_category_id_categories FOREIGN KEY(category_id) REFERENCES categories (id),
    CONSTRAINT fk_coupons_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_coupons_batch_id ON coupons (batch_id);

CREATE INDEX ix_coupons_campaign ON coupons (campaign);

CREATE INDEX ix_coupons_special_offer ON coupons (is_special, state, organisation_id);

CREATE TABLE courses (
    id BIGINT NOT NULL,
    description MEDIUMTEXT NOT NULL,
    is_generated BOOL NOT NULL,
    outcomes JSON NOT NULL,
    prerequisites JSON NOT NULL,
    audience JSON NOT NULL,
    sections JSON NOT NULL,
    faq JSON NOT NULL,
    provider VARCHAR(255) NOT NULL,
    credits NUMERIC(5, 1),
    base_rating NUMERIC(11, 10),
    base_rating_count INTEGER NOT NULL DEFAULT '0',
    reviews_changed_at DATETIME(6),
    CONSTRAINT pk_courses PRIMARY KEY (id),
    CONSTRAINT fk_courses_id_products FOREIGN KEY(id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_courses_reviews_changed_at ON courses (reviews_changed_at);

CREATE TABLE enrolments (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    enrolled_at DATETIME(6) NOT NULL,
    access_until DATETIME(6),
    source VARCHAR(10),
    started_at DATETIME(6),
    last_lesson_id BIGINT,
    last_active_at DATETIME(6),
    done_lessons INTEGER NOT NULL DEFAULT '0',
    done_lesson_ids TEXT,
    completed_at DATETIME(6),
    rule_version INTEGER NOT NULL DEFAULT '0',
    completed_by BIGINT,
    completion_reason VARCHAR(500),
    CONSTRAINT pk_enrolments PRIMARY KEY (id),
    CONSTRAINT uq_enrolments_learner_id_product_id UNIQUE (learner_id, product_id),
    CONSTRAINT fk_enrolments_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_enrolments_product_id_products FOREIGN KEY(product_id) REFERENCES products (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_enrolments_access_until ON enrolments (access_until);

CREATE INDEX ix_enrolments_learner_id_last_active_at ON enrolments (learner_id, last_active_at);

CREATE INDEX ix_enrolments_product_id_access_until ON enrolments (product_id, access_until);

CREATE TABLE former_slugs (
    kind VARCHAR(10) NOT NULL,
    slug VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    product_id BIGINT NOT NULL,
    replaced_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_former_slugs PRIMARY KEY (kind, slug),
    CONSTRAINT fk_former_slugs_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_former_slugs_product_id ON former_slugs (product_id);

CREATE TABLE memberships (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    organisation_id BIGINT NOT NULL,
    role VARCHAR(10) NOT NULL,
    is_restricted BOOL NOT NULL,
    team VARCHAR(100) NOT NULL DEFAULT '',
    shares_progress BOOL NOT NULL DEFAULT false,
    joined_at DATETIME(6) NOT NULL,
    ended_at DATETIME(6),
    CONSTRAINT pk_memberships PRIMARY KEY (id),
    CONSTRAINT uq_memberships_learner_id_organisation_id UNIQUE (learner_id, organisation_id),
    CONSTRAINT ck_memberships_role CHECK (role IN ('owner', 'manager', 'member')),
    CONSTRAINT fk_memberships_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_memberships_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_memberships_organisation_id_ended_at ON memberships (organisation_id, ended_at);

CREATE TABLE orders (
    id BIGINT NOT NULL AUTO_INCREMENT,
    code VARCHAR(20) COLLATE ascii_bin NOT NULL,
    learner_id BIGINT NOT NULL,
    open_learner_id BIGINT,
    organisation_id BIGINT,
    state VARCHAR(12) NOT NULL,
    currency VARCHAR(3) NOT NULL,
    subtotal_minor BIGINT NOT NULL,
    discount_minor BIGINT NOT NULL,
    delivery_minor BIGINT NOT NULL,
    tax_minor BIGINT NOT NULL,
    total_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    price_mode VARCHAR(10) NOT NULL,
    tax_place VARCHAR(203) NOT NULL,
    tax_kind VARCHAR(15) NOT NULL,
    engine_version INTEGER NOT NULL,
    form_key VARCHAR(200) COLLATE ascii_bin NOT NULL,
    content_digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    email VARCHAR(254) NOT NULL,
    email_key VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    terms_date VARCHAR(10) NOT NULL,
    quote JSON NOT NULL,
    billing JSON NOT NULL,
    delivery JSON,
    refund_terms JSON NOT NULL,
    reserved_until DATETIME(6),
    placed_at DATETIME(6) NOT NULL,
    paid_at DATETIME(6),
    ended_at DATETIME(6),
    disputed_at DATETIME(6),
    changed_at DATETIME(6) NOT NULL,
    event_count INTEGER NOT NULL DEFAULT '0',
    event_chain VARCHAR(64) COLLATE ascii_bin NOT NULL DEFAULT '',
    CONSTRAINT pk_orders PRIMARY KEY (id),
    CONSTRAINT uq_orders_learner_id_form_key UNIQUE (learner_id, form_key),
    CONSTRAINT ck_orders_state CHECK (state IN ('placed', 'processing', 'paid', 'expired', 'cancelled', 'refunded')),
    CONSTRAINT ck_orders_price_mode CHECK (price_mode IN ('inclusive', 'exclusive')),
    CONSTRAINT ck_orders_tax_kind CHECK (tax_kind IN ('standard', 'reverse_charge', 'none')),
    CONSTRAINT ck_orders_amounts CHECK (subtotal_minor >= 0 AND discount_minor >= 0 AND delivery_minor >= 0 AND tax_minor >= 0 AND total_minor >= 0 AND refunded_minor >= 0 AND refunded_minor <= total_minor),
    CONSTRAINT uq_orders_code UNIQUE (code),
    CONSTRAINT fk_orders_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id),
    CONSTRAINT uq_orders_open_learner_id UNIQUE (open_learner_id),
    CONSTRAINT fk_orders_open_learner_id_learners FOREIGN KEY(open_learner_id) REFERENCES learners (id),
    CONSTRAINT fk_orders_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_orders_changed_at ON orders (changed_at);

CREATE INDEX ix_orders_email_key ON orders (email_key);

CREATE INDEX ix_orders_learner_id_placed_at ON orders (learner_id, placed_at);

CREATE INDEX ix_orders_organisation_id ON orders (organisation_id);

CREATE INDEX ix_orders_placed_at ON orders (placed_at);

CREATE INDEX ix_orders_state_paid_at ON orders (state, paid_at);

CREATE INDEX ix_orders_state_placed_at ON orders (state, placed_at);

CREATE INDEX ix_orders_state_reserved_until ON orders (state, reserved_until);

CREATE TABLE organisation_months (
    id BIGINT NOT NULL AUTO_INCREMENT,
    organisation_id BIGINT NOT NULL,
    month VARCHAR(7) COLLATE ascii_bin NOT NULL,
    product_id BIGINT,
    team VARCHAR(100),
    cell_key VARCHAR(130) COLLATE utf8mb4_bin NOT NULL,
    learners INTEGER NOT NULL,
    started INTEGER NOT NULL,
    completed INTEGER NOT NULL,
    scored INTEGER NOT NULL,
    score INTEGER NOT NULL,
    is_named BOOL NOT NULL DEFAULT false,
    seats INTEGER,
    unused INTEGER,
    cost_thousandths BIGINT,
    CONSTRAINT pk_organisation_months PRIMARY KEY (id),
    CONSTRAINT uq_organisation_months_organisation_id_month_cell_key UNIQUE (organisation_id, month, cell_key),
    CONSTRAINT ck_organisation_months_counts CHECK (started <= learners AND completed <= learners AND scored <= learners),
    CONSTRAINT fk_organisation_months_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT fk_organisation_months_product_id_products FOREIGN KEY(product_id) REFERENCES products (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_organisation_months_organisation_id_id ON organisation_months (organisation_id, id);

CREATE INDEX ix_organisation_months_product_id ON organisation_months (product_id);

CREATE TABLE price_changes (
    id BIGINT NOT NULL AUTO_INCREMENT,
    product_id BIGINT NOT NULL,
    changed_at DATETIME(6) NOT NULL,
    starts_at DATETIME(6) NOT NULL,
    ends_at DATETIME(6),
    applied_at DATETIME(6),
    list_price NUMERIC(13, 3) NOT NULL,
    sale_price NUMERIC(13, 3),
    changed_by BIGINT,
    reason VARCHAR(500) NOT NULL,
    CONSTRAINT pk_price_changes PRIMARY KEY (id),
    CONSTRAINT fk_price_changes_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE,
    CONSTRAINT fk_price_changes_changed_by_learners FOREIGN KEY(changed_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_price_changes_applied_at_starts_at ON price_changes (applied_at, starts_at);

CREATE INDEX ix_price_changes_changed_by ON price_changes (changed_by);

CREATE INDEX ix_price_changes_product_id_starts_at ON price_changes (product_id, starts_at);

CREATE TABLE retired_page_visits (
    product_id BIGINT NOT NULL,
    last_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_retired_page_visits PRIMARY KEY (product_id),
    CONSTRAINT fk_retired_page_visits_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE search_snippets (
    product_id BIGINT NOT NULL,
    title VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    description VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    CONSTRAINT pk_search_snippets PRIMARY KEY (product_id),
    CONSTRAINT fk_search_snippets_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE,
    CONSTRAINT uq_search_snippets_title UNIQUE (title),
    CONSTRAINT uq_search_snippets_description UNIQUE (description)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE sessions (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    token_digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    cookie_digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    area VARCHAR(20) NOT NULL,
    organisation_id BIGINT,
    amr VARCHAR(100) NOT NULL DEFAULT '',
    authenticated_at DATETIME(6) NOT NULL,
    issuer VARCHAR(191) NOT NULL DEFAULT '',
    subject VARCHAR(191) NOT NULL DEFAULT '',
    id_token MEDIUMTEXT,
    access_token MEDIUMTEXT,
    browser VARCHAR(100) NOT NULL DEFAULT '',
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    revoked_at DATETIME(6),
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT fk_sessions_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT uq_sessions_token_digest UNIQUE (token_digest),
    CONSTRAINT uq_sessions_cookie_digest UNIQUE (cookie_digest),
    CONSTRAINT fk_sessions_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);

CREATE INDEX ix_sessions_learner_id ON sessions (learner_id);

CREATE INDEX ix_sessions_organisation_id ON sessions (organisation_id);

CREATE TABLE shop_items (
    id BIGINT NOT NULL,
    description MEDIUMTEXT NOT NULL,
    sku VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    stock INTEGER,
    delivery VARCHAR(500) NOT NULL,
    images JSON NOT NULL,
    fulfilment VARCHAR(10) NOT NULL DEFAULT 'shipped',
    weight_g INTEGER NOT NULL DEFAULT '0',
    tax_class VARCHAR(10) NOT NULL DEFAULT 'goods',
    CONSTRAINT pk_shop_items PRIMARY KEY (id),
    CONSTRAINT ck_shop_items_stock CHECK (stock >= 0),
    CONSTRAINT fk_shop_items_id_products FOREIGN KEY(id) REFERENCES products (id) ON DELETE CASCADE,
    CONSTRAINT uq_shop_items_sku UNIQUE (sku)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE wishlist_entries (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    seen_price NUMERIC(13, 3),
    added_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_wishlist_entries PRIMARY KEY (id),
    CONSTRAINT uq_wishlist_entries_learner_id_product_id UNIQUE (learner_id, product_id),
    CONSTRAINT fk_wishlist_entries_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_wishlist_entries_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_wishlist_entries_product_id ON wishlist_entries (product_id);

CREATE TABLE bulk_change_rows (
    bulk_change_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    state VARCHAR(10) NOT NULL,
    target VARCHAR(191) COLLATE utf8mb4_bin,
    `before` VARCHAR(191) COLLATE utf8mb4_bin,
    note VARCHAR(500) NOT NULL,
    CONSTRAINT pk_bulk_change_rows PRIMARY KEY (bulk_change_id, product_id),
    CONSTRAINT ck_bulk_change_rows_state CHECK (state IN ('chosen', 'changed', 'unchanged', 'refused')),
    CONSTRAINT fk_bulk_change_rows_bulk_change_id_bulk_changes FOREIGN KEY(bulk_change_id) REFERENCES bulk_changes (id) ON DELETE CASCADE,
    CONSTRAINT fk_bulk_change_rows_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_bulk_change_rows_state ON bulk_change_rows (bulk_change_id, state, product_id);

CREATE TABLE bundle_courses (
    item_id BIGINT NOT NULL,
    course_id BIGINT NOT NULL,
    `position` INTEGER NOT NULL,
    CONSTRAINT pk_bundle_courses PRIMARY KEY (item_id, course_id),
    CONSTRAINT fk_bundle_courses_item_id_shop_items FOREIGN KEY(item_id) REFERENCES shop_items (id) ON DELETE CASCADE,
    CONSTRAINT fk_bundle_courses_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_bundle_courses_course_id ON bundle_courses (course_id);

CREATE TABLE cart_lines (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    quantity INTEGER NOT NULL,
    coupon_id BIGINT,
    seen_price NUMERIC(13, 3),
    is_saved BOOL NOT NULL,
    is_gift BOOL NOT NULL DEFAULT false,
    added_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_cart_lines PRIMARY KEY (id),
    CONSTRAINT uq_cart_lines_learner_id_product_id UNIQUE (learner_id, product_id),
    CONSTRAINT ck_cart_lines_quantity CHECK (quantity BETWEEN 1 AND 99),
    CONSTRAINT fk_cart_lines_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_cart_lines_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE,
    CONSTRAINT fk_cart_lines_coupon_id_coupons FOREIGN KEY(coupon_id) REFERENCES coupons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_cart_lines_product_id ON cart_lines (product_id);

CREATE TABLE cart_links (
    id BIGINT NOT NULL AUTO_INCREMENT,
    digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    `lines` JSON NOT NULL,
    coupon_id BIGINT,
    expires_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_cart_links PRIMARY KEY (id),
    CONSTRAINT uq_cart_links_digest UNIQUE (digest),
    CONSTRAINT fk_cart_links_coupon_id_coupons FOREIGN KEY(coupon_id) REFERENCES coupons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_cart_links_coupon_id ON cart_links (coupon_id);

CREATE INDEX ix_cart_links_expires_at ON cart_links (expires_at);

CREATE TABLE carts (
    id BIGINT NOT NULL AUTO_INCREMENT,
    learner_id BIGINT,
    guest_key VARCHAR(64) COLLATE ascii_bin,
    coupon_id BIGINT,
    expires_at DATETIME(6),
    version INTEGER NOT NULL DEFAULT '0',
    CONSTRAINT pk_carts PRIMARY KEY (id),
    CONSTRAINT ck_carts_owner CHECK ((learner_id IS NULL) <> (guest_key IS NULL)),
    CONSTRAINT uq_carts_learner_id UNIQUE (learner_id),
    CONSTRAINT fk_carts_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id),
    CONSTRAINT uq_carts_guest_key UNIQUE (guest_key),
    CONSTRAINT fk_carts_coupon_id_coupons FOREIGN KEY(coupon_id) REFERENCES coupons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_carts_expires_at ON carts (expires_at);

CREATE TABLE certificates (
    id BIGINT NOT NULL AUTO_INCREMENT,
    code VARCHAR(40) COLLATE ascii_bin NOT NULL,
    enrolment_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    learner_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    holder_name VARCHAR(255) NOT NULL,
    course_name VARCHAR(255) NOT NULL,
    credits NUMERIC(5, 1),
    minutes INTEGER NOT NULL,
    rule_text VARCHAR(300) NOT NULL,
    completed_at DATETIME(6) NOT NULL,
    issued_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6),
    revoked_at DATETIME(6),
    revoked_reason VARCHAR(10) NOT NULL,
    status_index INTEGER,
    CONSTRAINT pk_certificates PRIMARY KEY (id),
    CONSTRAINT uq_certificates_enrolment_id_number UNIQUE (enrolment_id, number),
    CONSTRAINT ck_certificates_revoked_reason CHECK (revoked_reason IN ('', 'refunded', 'fraud', 'replaced', 'holder')),
    CONSTRAINT uq_certificates_code UNIQUE (code),
    CONSTRAINT fk_certificates_enrolment_id_enrolments FOREIGN KEY(enrolment_id) REFERENCES enrolments (id),
    CONSTRAINT fk_certificates_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id),
    CONSTRAINT fk_certificates_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT uq_certificates_status_index UNIQUE (status_index)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_certificates_learner_id ON certificates (learner_id);

CREATE INDEX ix_certificates_product_id ON certificates (product_id);

CREATE TABLE completion_rules (
    course_id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    required_percent INTEGER NOT NULL,
    quizzes VARCHAR(10) NOT NULL,
    pass_mark INTEGER NOT NULL,
    has_certificate BOOL NOT NULL,
    valid_months INTEGER,
    changed_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_completion_rules PRIMARY KEY (course_id),
    CONSTRAINT ck_completion_rules_quizzes CHECK (quizzes IN ('passed', 'attempted', 'none')),
    CONSTRAINT ck_completion_rules_required_percent CHECK (required_percent BETWEEN 1 AND 100),
    CONSTRAINT ck_completion_rules_pass_mark CHECK (pass_mark BETWEEN 0 AND 100),
    CONSTRAINT fk_completion_rules_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE contract_products (
    contract_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    price NUMERIC(13, 3),
    CONSTRAINT pk_contract_products PRIMARY KEY (contract_id, product_id),
    CONSTRAINT fk_contract_products_contract_id_contracts FOREIGN KEY(contract_id) REFERENCES contracts (id) ON DELETE CASCADE,
    CONSTRAINT fk_contract_products_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_contract_products_product_id ON contract_products (product_id);

CREATE TABLE coupon_alarms (
    id BIGINT NOT NULL AUTO_INCREMENT,
    coupon_id BIGINT NOT NULL,
    hour DATETIME(6) NOT NULL,
    networks INTEGER NOT NULL,
    expected DOUBLE NOT NULL,
    hosts JSON NOT NULL,
    state VARCHAR(10) NOT NULL,
    raised_at DATETIME(6) NOT NULL,
    decided_by BIGINT,
    decided_at DATETIME(6),
    reason VARCHAR(500) NOT NULL,
    CONSTRAINT pk_coupon_alarms PRIMARY KEY (id),
    CONSTRAINT uq_coupon_alarms_coupon_id_hour UNIQUE (coupon_id, hour),
    CONSTRAINT ck_coupon_alarms_state CHECK (state IN ('open', 'paused', 'replaced', 'dismissed')),
    CONSTRAINT fk_coupon_alarms_coupon_id_coupons FOREIGN KEY(coupon_id) REFERENCES coupons (id) ON DELETE CASCADE,
    CONSTRAINT fk_coupon_alarms_decided_by_learners FOREIGN KEY(decided_by) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_coupon_alarms_decided_by ON coupon_alarms (decided_by);

CREATE INDEX ix_coupon_alarms_state_id ON coupon_alarms (state, id);

CREATE TABLE coupon_products (
    coupon_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    CONSTRAINT pk_coupon_products PRIMARY KEY (coupon_id, product_id),
    CONSTRAINT fk_coupon_products_coupon_id_coupons FOREIGN KEY(coupon_id) REFERENCES coupons (id) ON DELETE CASCADE,
    CONSTRAINT fk_coupon_products_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_coupon_products_product_id ON coupon_products (product_id);

CREATE TABLE course_closures (
    course_id BIGINT NOT NULL,
    announced_at DATETIME(6) NOT NULL,
    ends_at DATETIME(6) NOT NULL,
    reason VARCHAR(500) NOT NULL,
    cancelled_at DATETIME(6),
    CONSTRAINT pk_course_closures PRIMARY KEY (course_id),
    CONSTRAINT fk_course_closures_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE course_instructors (
    course_id BIGINT NOT NULL,
    instructor_id BIGINT NOT NULL,
    `position` INTEGER NOT NULL,
    CONSTRAINT pk_course_instructors PRIMARY KEY (course_id, instructor_id),
    CONSTRAINT fk_course_instructors_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE,
    CONSTRAINT fk_course_instructors_instructor_id_instructors FOREIGN KEY(instructor_id) REFERENCES instructors (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_course_instructors_instructor_id ON course_instructors (instructor_id);

CREATE TABLE course_sections (
    id BIGINT NOT NULL AUTO_INCREMENT,
    course_id BIGINT NOT NULL,
    `position` INTEGER NOT NULL,
    title VARCHAR(500) NOT NULL,
    CONSTRAINT pk_course_sections PRIMARY KEY (id),
    CONSTRAINT fk_course_sections_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_course_sections_course_id_position ON course_sections (course_id, `position`);

CREATE TABLE enrolment_grants (
    id BIGINT NOT NULL AUTO_INCREMENT,
    enrolment_id BIGINT NOT NULL,
    source VARCHAR(10) NOT NULL,
    source_id BIGINT,
    granted_at DATETIME(6) NOT NULL,
    until DATETIME(6),
    ended_at DATETIME(6),
    reason VARCHAR(40) NOT NULL,
    CONSTRAINT pk_enrolment_grants PRIMARY KEY (id),
    CONSTRAINT uq_enrolment_grants_source_source_id_enrolment_id UNIQUE (source, source_id, enrolment_id),
    CONSTRAINT ck_enrolment_grants_source CHECK (source IN ('order', 'seat', 'gift')),
    CONSTRAINT fk_enrolment_grants_enrolment_id_enrolments FOREIGN KEY(enrolment_id) REFERENCES enrolments (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_enrolment_grants_enrolment_id ON enrolment_grants (enrolment_id);

CREATE TABLE invitations (
    id BIGINT NOT NULL AUTO_INCREMENT,
    organisation_id BIGINT NOT NULL,
    contract_id BIGINT NOT NULL,
    email_key VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    team VARCHAR(100) NOT NULL,
    role VARCHAR(10) NOT NULL,
    product_ids JSON NOT NULL,
    token VARCHAR(64) COLLATE ascii_bin,
    open_key VARCHAR(280) COLLATE utf8mb4_bin,
    state VARCHAR(10) NOT NULL,
    sent_at DATETIME(6) NOT NULL,
    reminded_at DATETIME(6),
    sends INTEGER NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    invited_by BIGINT,
    learner_id BIGINT,
    CONSTRAINT pk_invitations PRIMARY KEY (id),
    CONSTRAINT ck_invitations_state CHECK (state IN ('sent', 'accepted', 'declined', 'expired', 'cancelled', 'refused')),
    CONSTRAINT ck_invitations_role CHECK (role IN ('owner', 'manager', 'member')),
    CONSTRAINT fk_invitations_organisation_id_organisations FOREIGN KEY(organisation_id) REFERENCES organisations (id) ON DELETE CASCADE,
    CONSTRAINT fk_invitations_contract_id_contracts FOREIGN KEY(contract_id) REFERENCES contracts (id) ON DELETE CASCADE,
    CONSTRAINT uq_invitations_token UNIQUE (token),
    CONSTRAINT uq_invitations_open_key UNIQUE (open_key),
    CONSTRAINT fk_invitations_invited_by_learners FOREIGN KEY(invited_by) REFERENCES learners (id) ON DELETE SET NULL,
    CONSTRAINT fk_invitations_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_invitations_contract_id ON invitations (contract_id);

CREATE INDEX ix_invitations_email_key ON invitations (email_key);

CREATE INDEX ix_invitations_invited_by ON invitations (invited_by);

CREATE INDEX ix_invitations_learner_id ON invitations (learner_id);

CREATE INDEX ix_invitations_organisation_id_id ON invitations (organisation_id, id);

CREATE INDEX ix_invitations_organisation_id_sent_at ON invitations (organisation_id, sent_at);

CREATE INDEX ix_invitations_organisation_id_state_id ON invitations (organisation_id, state, id);

CREATE INDEX ix_invitations_state_expires_at ON invitations (state, expires_at);

CREATE TABLE item_files (
    item_id BIGINT NOT NULL,
    file_id BIGINT NOT NULL,
    `position` INTEGER NOT NULL,
    CONSTRAINT pk_item_files PRIMARY KEY (item_id, file_id),
    CONSTRAINT fk_item_files_item_id_shop_items FOREIGN KEY(item_id) REFERENCES shop_items (id) ON DELETE CASCADE,
    CONSTRAINT fk_item_files_file_id_files FOREIGN KEY(file_id) REFERENCES files (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_item_files_file_id ON item_files (file_id);

CREATE TABLE order_events (
    id BIGINT NOT NULL AUTO_INCREMENT,
    order_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    occurred_at DATETIME(6) NOT NULL,
    kind VARCHAR(40) NOT NULL,
    actor VARCHAR(40) NOT NULL,
    from_state VARCHAR(12),
    to_state VARCHAR(12),
    facts JSON NOT NULL,
    chain VARCHAR(64) COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_order_events PRIMARY KEY (id),
    CONSTRAINT uq_order_events_order_id_number UNIQUE (order_id, number),
    CONSTRAINT fk_order_events_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE order_lines (
    id BIGINT NOT NULL AUTO_INCREMENT,
    order_id BIGINT NOT NULL,
    number SMALLINT NOT NULL,
    kind VARCHAR(10) NOT NULL,
    product_id BIGINT,
    contract_id BIGINT,
    name VARCHAR(255) NOT NULL,
    sku VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    fulfilment VARCHAR(10) NOT NULL,
    quantity INTEGER NOT NULL,
    list_minor BIGINT NOT NULL,
    unit_minor BIGINT NOT NULL,
    net_minor BIGINT NOT NULL,
    tax_minor BIGINT NOT NULL,
    total_minor BIGINT NOT NULL,
    offer_step VARCHAR(12) NOT NULL,
    offer_id BIGINT,
    line_code VARCHAR(64) NOT NULL,
    cart_code VARCHAR(64) NOT NULL,
    gift JSON,
    steps JSON NOT NULL,
    taxes JSON NOT NULL,
    refunded_minor BIGINT NOT NULL,
    refunded_tax_minor BIGINT NOT NULL,
    refunded_quantity INTEGER NOT NULL,
    shipped_at DATETIME(6),
    delivered_at DATETIME(6),
    ended_at DATETIME(6),
    CONSTRAINT pk_order_lines PRIMARY KEY (id),
    CONSTRAINT uq_order_lines_order_id_number UNIQUE (order_id, number),
    CONSTRAINT ck_order_lines_kind CHECK (kind IN ('product', 'delivery', 'seats')),
    CONSTRAINT ck_order_lines_quantity CHECK (quantity > 0),
    CONSTRAINT ck_order_lines_refunded CHECK (refunded_minor BETWEEN 0 AND total_minor AND refunded_tax_minor BETWEEN 0 AND tax_minor AND refunded_quantity BETWEEN 0 AND quantity),
    CONSTRAINT fk_order_lines_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id),
    CONSTRAINT fk_order_lines_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT fk_order_lines_contract_id_contracts FOREIGN KEY(contract_id) REFERENCES contracts (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_order_lines_contract_id ON order_lines (contract_id);

CREATE INDEX ix_order_lines_product_id ON order_lines (product_id);

CREATE TABLE payment_findings (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(15) NOT NULL,
    gateway_id VARCHAR(160) COLLATE ascii_bin NOT NULL,
    order_id BIGINT,
    detected_at DATETIME(6) NOT NULL,
    resolved_at DATETIME(6),
    CONSTRAINT pk_payment_findings PRIMARY KEY (id),
    CONSTRAINT ck_payment_findings_kind CHECK (kind IN ('missing_here', 'missing_there', 'amount', 'orphan')),
    CONSTRAINT uq_payment_findings_kind_gateway_id UNIQUE (kind, gateway_id),
    CONSTRAINT fk_payment_findings_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_payment_findings_order_id ON payment_findings (order_id);

CREATE INDEX ix_payment_findings_resolved_at ON payment_findings (resolved_at);

CREATE TABLE payments (
    id BIGINT NOT NULL AUTO_INCREMENT,
    order_id BIGINT NOT NULL,
    number SMALLINT NOT NULL,
    gateway VARCHAR(20) NOT NULL,
    session_id VARCHAR(191) COLLATE ascii_bin,
    intent_id VARCHAR(191) COLLATE ascii_bin,
    charge_id VARCHAR(191) COLLATE ascii_bin,
    amount_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    currency VARCHAR(3) NOT NULL,
    state VARCHAR(10) NOT NULL,
    `key` VARCHAR(64) COLLATE ascii_bin NOT NULL,
    url TEXT,
    expires_at DATETIME(6),
    method VARCHAR(60) NOT NULL,
    failure VARCHAR(255) NOT NULL,
    livemode BOOL,
    created_at DATETIME(6) NOT NULL,
    paid_at DATETIME(6),
    poll_at DATETIME(6),
    polls INTEGER NOT NULL,
    checked_at DATETIME(6),
    lease_token VARCHAR(32),
    leased_until DATETIME(6),
    reconciled_at DATETIME(6),
    CONSTRAINT pk_payments PRIMARY KEY (id),
    CONSTRAINT uq_payments_order_id_number UNIQUE (order_id, number),
    CONSTRAINT ck_payments_state CHECK (state IN ('new', 'open', 'processing', 'paid', 'failed', 'expired', 'void')),
    CONSTRAINT ck_payments_amounts CHECK (amount_minor >= 0 AND refunded_minor BETWEEN 0 AND amount_minor),
    CONSTRAINT fk_payments_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id),
    CONSTRAINT uq_payments_session_id UNIQUE (session_id),
    CONSTRAINT uq_payments_key UNIQUE (`key`)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_payments_charge_id ON payments (charge_id);

CREATE INDEX ix_payments_created_at ON payments (created_at);

CREATE INDEX ix_payments_gateway_reconciled_at_paid_at ON payments (gateway, reconciled_at, paid_at);

CREATE INDEX ix_payments_intent_id ON payments (intent_id);

CREATE INDEX ix_payments_paid_at ON payments (paid_at);

CREATE INDEX ix_payments_poll_at ON payments (poll_at);

CREATE TABLE reviews (
    id BIGINT NOT NULL AUTO_INCREMENT,
    course_id BIGINT NOT NULL,
    learner_id BIGINT,
    author VARCHAR(255) NOT NULL,
    rating SMALLINT NOT NULL,
    title VARCHAR(255) NOT NULL,
    `body` TEXT NOT NULL,
    state VARCHAR(10) NOT NULL DEFAULT 'published',
    is_verified BOOL NOT NULL DEFAULT false,
    reviewed_at DATETIME(6) NOT NULL,
    edited_at DATETIME(6),
    hidden_reason VARCHAR(500) NOT NULL DEFAULT '',
    deleted_at DATETIME(6),
    CONSTRAINT pk_reviews PRIMARY KEY (id),
    CONSTRAINT uq_reviews_learner_id_course_id UNIQUE (learner_id, course_id),
    CONSTRAINT ck_reviews_rating CHECK (rating BETWEEN 1 AND 5),
    CONSTRAINT ck_reviews_state CHECK (state IN ('published', 'pending', 'hidden')),
    CONSTRAINT fk_reviews_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE,
    CONSTRAINT fk_reviews_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_reviews_course_id ON reviews (course_id);

CREATE INDEX ix_reviews_state_id ON reviews (state, id);

CREATE TABLE seat_requests (
    id BIGINT NOT NULL AUTO_INCREMENT,
    contract_id BIGINT NOT NULL,
    learner_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    requested_at DATETIME(6) NOT NULL,
    state VARCHAR(10) NOT NULL,
    has_priority BOOL NOT NULL DEFAULT false,
    open_key VARCHAR(64) COLLATE ascii_bin,
    decided_at DATETIME(6),
    CONSTRAINT pk_seat_requests PRIMARY KEY (id),
    CONSTRAINT ck_seat_requests_state CHECK (state IN ('waiting', 'granted', 'withdrawn')),
    CONSTRAINT fk_seat_requests_contract_id_contracts FOREIGN KEY(contract_id) REFERENCES contracts (id) ON DELETE CASCADE,
    CONSTRAINT fk_seat_requests_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_seat_requests_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT uq_seat_requests_open_key UNIQUE (open_key)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_seat_requests_contract_id_state_requested_at ON seat_requests (contract_id, state, requested_at);

CREATE INDEX ix_seat_requests_learner_id ON seat_requests (learner_id);

CREATE INDEX ix_seat_requests_product_id ON seat_requests (product_id);

CREATE TABLE gifts (
    id BIGINT NOT NULL AUTO_INCREMENT,
    token VARCHAR(64) COLLATE ascii_bin,
    order_line_id BIGINT,
    product_id BIGINT NOT NULL,
    giver_id BIGINT NOT NULL,
    recipient_email VARCHAR(254) NOT NULL,
    message TEXT NOT NULL,
    send_at DATETIME(6) NOT NULL,
    state VARCHAR(10) NOT NULL,
    learner_id BIGINT,
    claimed_at DATETIME(6),
    CONSTRAINT pk_gifts PRIMARY KEY (id),
    CONSTRAINT ck_gifts_state CHECK (state IN ('waiting', 'sent', 'claimed', 'returned')),
    CONSTRAINT uq_gifts_token UNIQUE (token),
    CONSTRAINT uq_gifts_order_line_id UNIQUE (order_line_id),
    CONSTRAINT fk_gifts_order_line_id_order_lines FOREIGN KEY(order_line_id) REFERENCES order_lines (id),
    CONSTRAINT fk_gifts_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT fk_gifts_giver_id_learners FOREIGN KEY(giver_id) REFERENCES learners (id),
    CONSTRAINT fk_gifts_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_gifts_giver_id ON gifts (giver_id);

CREATE INDEX ix_gifts_learner_id ON gifts (learner_id);

CREATE INDEX ix_gifts_product_id ON gifts (product_id);

CREATE INDEX ix_gifts_state_send_at ON gifts (state, send_at);

CREATE TABLE lessons (
    id BIGINT NOT NULL AUTO_INCREMENT,
    course_id BIGINT NOT NULL,
    section_id BIGINT,
    `position` INTEGER NOT NULL,
    source_key VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
    title VARCHAR(500) NOT NULL,
    kind VARCHAR(10) NOT NULL,
    minutes INTEGER NOT NULL,
    is_required BOOL NOT NULL,
    is_preview BOOL NOT NULL,
    revision INTEGER NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    added_at DATETIME(6),
    withdrawn_at DATETIME(6),
    CONSTRAINT pk_lessons PRIMARY KEY (id),
    CONSTRAINT uq_lessons_course_id_source_key UNIQUE (course_id, source_key),
    CONSTRAINT ck_lessons_kind CHECK (kind IN ('text', 'video', 'quiz', 'file')),
    CONSTRAINT fk_lessons_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE,
    CONSTRAINT fk_lessons_section_id_course_sections FOREIGN KEY(section_id) REFERENCES course_sections (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_lessons_course_id_section_id_position ON lessons (course_id, section_id, `position`);

CREATE INDEX ix_lessons_section_id ON lessons (section_id);

CREATE TABLE refunds (
    id BIGINT NOT NULL AUTO_INCREMENT,
    order_id BIGINT NOT NULL,
    payment_id BIGINT,
    number INTEGER NOT NULL,
    amount_minor BIGINT NOT NULL,
    tax_minor BIGINT NOT NULL,
    state VARCHAR(10) NOT NULL,
    reason VARCHAR(20) NOT NULL,
    note TEXT NOT NULL,
    actor VARCHAR(40) NOT NULL,
    gateway_id VARCHAR(191) COLLATE ascii_bin,
    `key` VARCHAR(64) COLLATE ascii_bin NOT NULL,
    form_key VARCHAR(200) COLLATE ascii_bin,
    dispute_id VARCHAR(191) COLLATE ascii_bin,
    failure VARCHAR(255) NOT NULL,
    keeps_access BOOL NOT NULL,
    restocks BOOL NOT NULL,
    requested_at DATETIME(6) NOT NULL,
    changed_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_refunds PRIMARY KEY (id),
    CONSTRAINT uq_refunds_order_id_number UNIQUE (order_id, number),
    CONSTRAINT ck_refunds_state CHECK (state IN ('requested', 'declined', 'approved', 'sent', 'pending', 'succeeded', 'failed', 'manual')),
    CONSTRAINT ck_refunds_amounts CHECK ((reason <> 'dispute_won' AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) OR (reason = 'dispute_won' AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)),
    CONSTRAINT fk_refunds_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id),
    CONSTRAINT fk_refunds_payment_id_payments FOREIGN KEY(payment_id) REFERENCES payments (id),
    CONSTRAINT uq_refunds_gateway_id UNIQUE (gateway_id),
    CONSTRAINT uq_refunds_key UNIQUE (`key`),
    CONSTRAINT uq_refunds_form_key UNIQUE (form_key)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_refunds_dispute_id ON refunds (dispute_id);

CREATE INDEX ix_refunds_payment_id ON refunds (payment_id);

CREATE INDEX ix_refunds_state_changed_at ON refunds (state, changed_at);

CREATE TABLE reservations (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) COLLATE ascii_bin NOT NULL,
    resource_id BIGINT NOT NULL,
    learner_id BIGINT NOT NULL,
    order_id BIGINT,
    line_id BIGINT,
    product_id BIGINT,
    quantity INTEGER NOT NULL,
    slot INTEGER,
    state VARCHAR(10) NOT NULL,
    owner_key VARCHAR(64) COLLATE ascii_bin NOT NULL,
    reserved_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6),
    CONSTRAINT pk_reservations PRIMARY KEY (id),
    CONSTRAINT uq_reservations_kind_resource_id_owner_key UNIQUE (kind, resource_id, owner_key),
    CONSTRAINT uq_reservations_kind_resource_id_learner_id_slot UNIQUE (kind, resource_id, learner_id, slot),
    CONSTRAINT ck_reservations_state CHECK (state IN ('reserved', 'committed')),
    CONSTRAINT ck_reservations_numbers CHECK (quantity > 0 AND slot > 0),
    CONSTRAINT ck_reservations_end CHECK ((expires_at IS NULL) <> (order_id IS NULL)),
    CONSTRAINT fk_reservations_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id),
    CONSTRAINT fk_reservations_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id),
    CONSTRAINT fk_reservations_line_id_order_lines FOREIGN KEY(line_id) REFERENCES order_lines (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_reservations_expires_at ON reservations (expires_at);

CREATE INDEX ix_reservations_learner_id ON reservations (learner_id);

CREATE INDEX ix_reservations_line_id ON reservations (line_id);

CREATE INDEX ix_reservations_order_id ON reservations (order_id);

CREATE INDEX ix_reservations_resource_expires_at ON reservations (kind, resource_id, expires_at);

CREATE TABLE review_reports (
    review_id BIGINT NOT NULL,
    learner_id BIGINT NOT NULL,
    reason VARCHAR(500) NOT NULL,
    reported_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_review_reports PRIMARY KEY (review_id, learner_id),
    CONSTRAINT fk_review_reports_review_id_reviews FOREIGN KEY(review_id) REFERENCES reviews (id) ON DELETE CASCADE,
    CONSTRAINT fk_review_reports_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_review_reports_learner_id ON review_reports (learner_id);

CREATE TABLE seats (
    id BIGINT NOT NULL AUTO_INCREMENT,
    contract_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    state VARCHAR(10) NOT NULL,
    holder_key VARCHAR(64) COLLATE ascii_bin,
    learner_id BIGINT,
    invitation_id BIGINT,
    product_id BIGINT,
    order_line_id BIGINT,
    assigned_at DATETIME(6),
    started_at DATETIME(6),
    last_active_at DATETIME(6),
    reminders INTEGER NOT NULL,
    reminder_id BIGINT,
    notified_at DATETIME(6),
    grace_until DATETIME(6),
    confirmed_at DATETIME(6),
    paused_until DATETIME(6),
    version INTEGER NOT NULL,
    CONSTRAINT pk_seats PRIMARY KEY (id),
    CONSTRAINT uq_seats_contract_id_number UNIQUE (contract_id, number),
    CONSTRAINT uq_seats_contract_id_holder_key UNIQUE (contract_id, holder_key),
    CONSTRAINT ck_seats_state CHECK (state IN ('free', 'reserved', 'active', 'spent', 'removed')),
    CONSTRAINT ck_seats_number CHECK (number > 0),
    CONSTRAINT fk_seats_contract_id_contracts FOREIGN KEY(contract_id) REFERENCES contracts (id) ON DELETE CASCADE,
    CONSTRAINT fk_seats_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE SET NULL,
    CONSTRAINT fk_seats_invitation_id_invitations FOREIGN KEY(invitation_id) REFERENCES invitations (id) ON DELETE SET NULL,
    CONSTRAINT fk_seats_product_id_products FOREIGN KEY(product_id) REFERENCES products (id),
    CONSTRAINT fk_seats_order_line_id_order_lines FOREIGN KEY(order_line_id) REFERENCES order_lines (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_seats_contract_id_state_last_active_at ON seats (contract_id, state, last_active_at);

CREATE INDEX ix_seats_invitation_id ON seats (invitation_id);

CREATE INDEX ix_seats_learner_id ON seats (learner_id);

CREATE INDEX ix_seats_order_line_id ON seats (order_line_id);

CREATE INDEX ix_seats_product_id ON seats (product_id);

CREATE TABLE voucher_codes (
    id BIGINT NOT NULL AUTO_INCREMENT,
    line_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    code VARCHAR(12) COLLATE ascii_bin NOT NULL,
    issued_at DATETIME(6) NOT NULL,
    used_at DATETIME(6),
    void_at DATETIME(6),
    CONSTRAINT pk_voucher_codes PRIMARY KEY (id),
    CONSTRAINT uq_voucher_codes_line_id_number UNIQUE (line_id, number),
    CONSTRAINT fk_voucher_codes_line_id_order_lines FOREIGN KEY(line_id) REFERENCES order_lines (id),
    CONSTRAINT uq_voucher_codes_code UNIQUE (code)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE documents (
    id BIGINT NOT NULL AUTO_INCREMENT,
    kind VARCHAR(12) COLLATE ascii_bin NOT NULL,
    number VARCHAR(40) COLLATE ascii_bin NOT NULL,
    year SMALLINT NOT NULL,
    seq INTEGER NOT NULL,
    order_id BIGINT NOT NULL,
    refund_id BIGINT,
    issued_at DATETIME(6) NOT NULL,
    `body` JSON NOT NULL,
    digest VARCHAR(64) COLLATE ascii_bin NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (id),
    CONSTRAINT uq_documents_kind_year_seq UNIQUE (kind, year, seq),
    CONSTRAINT ck_documents_kind CHECK (kind IN ('invoice', 'credit_note')),
    CONSTRAINT uq_documents_number UNIQUE (number),
    CONSTRAINT fk_documents_order_id_orders FOREIGN KEY(order_id) REFERENCES orders (id),
    CONSTRAINT uq_documents_refund_id UNIQUE (refund_id),
    CONSTRAINT fk_documents_refund_id_refunds FOREIGN KEY(refund_id) REFERENCES refunds (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_documents_issued_at ON documents (issued_at);

CREATE INDEX ix_documents_order_id ON documents (order_id);

CREATE TABLE lesson_bodies (
    lesson_id BIGINT NOT NULL,
    `body` JSON NOT NULL,
    search_text MEDIUMTEXT NOT NULL,
    is_generated BOOL NOT NULL,
    CONSTRAINT pk_lesson_bodies PRIMARY KEY (lesson_id),
    CONSTRAINT fk_lesson_bodies_lesson_id_lessons FOREIGN KEY(lesson_id) REFERENCES lessons (id) ON DELETE CASCADE
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE TABLE lesson_notes (
    learner_id BIGINT NOT NULL,
    lesson_id BIGINT NOT NULL,
    `body` MEDIUMTEXT NOT NULL,
    version INTEGER NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_lesson_notes PRIMARY KEY (learner_id, lesson_id),
    CONSTRAINT fk_lesson_notes_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_lesson_notes_lesson_id_lessons FOREIGN KEY(lesson_id) REFERENCES lessons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_lesson_notes_lesson_id ON lesson_notes (lesson_id);

CREATE TABLE lesson_progress (
    learner_id BIGINT NOT NULL,
    course_id BIGINT NOT NULL,
    lesson_id BIGINT NOT NULL,
    is_done BOOL NOT NULL,
    done_at DATETIME(6),
    `position` INTEGER NOT NULL,
    position_at DATETIME(6),
    furthest INTEGER NOT NULL,
    opened_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_lesson_progress PRIMARY KEY (learner_id, course_id, lesson_id),
    CONSTRAINT fk_lesson_progress_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_lesson_progress_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE,
    CONSTRAINT fk_lesson_progress_lesson_id_lessons FOREIGN KEY(lesson_id) REFERENCES lessons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_lesson_progress_course_id ON lesson_progress (course_id);

CREATE INDEX ix_lesson_progress_lesson_id ON lesson_progress (lesson_id);

CREATE TABLE quiz_attempts (
    id BIGINT NOT NULL AUTO_INCREMENT,
    event_id VARCHAR(36) COLLATE ascii_bin NOT NULL,
    learner_id BIGINT NOT NULL,
    lesson_id BIGINT NOT NULL,
    number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    answers JSON NOT NULL,
    marks JSON NOT NULL,
    score INTEGER NOT NULL,
    is_passed BOOL NOT NULL,
    attempted_at DATETIME(6) NOT NULL,
    CONSTRAINT pk_quiz_attempts PRIMARY KEY (id),
    CONSTRAINT uq_quiz_attempts_learner_id_event_id UNIQUE (learner_id, event_id),
    CONSTRAINT uq_quiz_attempts_learner_id_lesson_id_number UNIQUE (learner_id, lesson_id, number),
    CONSTRAINT fk_quiz_attempts_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE CASCADE,
    CONSTRAINT fk_quiz_attempts_lesson_id_lessons FOREIGN KEY(lesson_id) REFERENCES lessons (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_quiz_attempts_lesson_id ON quiz_attempts (lesson_id);

CREATE TABLE refund_lines (
    refund_id BIGINT NOT NULL,
    line_id BIGINT NOT NULL,
    quantity INTEGER NOT NULL,
    amount_minor BIGINT NOT NULL,
    tax_minor BIGINT NOT NULL,
    CONSTRAINT pk_refund_lines PRIMARY KEY (refund_id, line_id),
    CONSTRAINT ck_refund_lines_amounts CHECK ((quantity >= 0 AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) OR (quantity <= 0 AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)),
    CONSTRAINT fk_refund_lines_refund_id_refunds FOREIGN KEY(refund_id) REFERENCES refunds (id),
    CONSTRAINT fk_refund_lines_line_id_order_lines FOREIGN KEY(line_id) REFERENCES order_lines (id)
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_refund_lines_line_id ON refund_lines (line_id);

CREATE TABLE seat_events (
    id BIGINT NOT NULL AUTO_INCREMENT,
    seat_id BIGINT NOT NULL,
    occurred_at DATETIME(6) NOT NULL,
    kind VARCHAR(20) NOT NULL,
    learner_id BIGINT,
    actor_id BIGINT,
    reason VARCHAR(500) NOT NULL,
    CONSTRAINT pk_seat_events PRIMARY KEY (id),
    CONSTRAINT fk_seat_events_seat_id_seats FOREIGN KEY(seat_id) REFERENCES seats (id) ON DELETE CASCADE,
    CONSTRAINT fk_seat_events_learner_id_learners FOREIGN KEY(learner_id) REFERENCES learners (id) ON DELETE SET NULL,
    CONSTRAINT fk_seat_events_actor_id_learners FOREIGN KEY(actor_id) REFERENCES learners (id) ON DELETE SET NULL
)CHARSET=utf8mb4 ENGINE=InnoDB COLLATE utf8mb4_unicode_ci;

CREATE INDEX ix_seat_events_actor_id ON seat_events (actor_id);

CREATE INDEX ix_seat_events_learner_id_kind ON seat_events (learner_id, kind);

CREATE INDEX ix_seat_events_seat_id ON seat_events (seat_id);
