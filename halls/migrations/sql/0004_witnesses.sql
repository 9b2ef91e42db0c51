-- What witnesses cosigned is only added to, whoever asks (see 0002_append_only.sql).

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_cosignature
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_cosignature
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_cosignature ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_cosignature ENABLE ALWAYS TRIGGER append_only_whole;
