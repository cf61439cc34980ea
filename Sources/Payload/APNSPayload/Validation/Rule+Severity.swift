extension Rule {
    /// The same rule with another severity for its findings.
    package func with(severity: Severity) -> Rule {
        Rule(
            id: id, severity: severity, layer: layer, refusal: refusal, stage: stage, looksAt: looksAt,
            pushTypes: pushTypes, reads: reads, summary: summary, rationale: rationale, source: source, passes: passes,
            fails: fails, check: check)
    }
    /// The same rule with another check.
    package func with(check: @escaping Check) -> Rule {
        Rule(
            id: id, severity: severity, layer: layer, refusal: refusal, stage: stage, looksAt: looksAt,
            pushTypes: pushTypes, reads: reads, summary: summary, rationale: rationale, source: source, passes: passes,
            fails: fails, check: check)
    }
}
