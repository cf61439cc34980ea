import APNSModel
public import APNSPayload
public import Testing

extension Rule: CustomTestStringConvertible {
    public var testDescription: String { id }
}

struct RuleTests {
    @Test(arguments: Rule.all)
    func `a rule finds nothing in its passing examples`(rule: Rule) {
        #expect(!rule.passes.isEmpty)
        for example in rule.passes {
            var validator = Validator(rules: [rule], contracts: example.contracts)
            validator.now = example.now
            #expect(validator.findings(for: example.envelope).isEmpty, "\(example)")
        }
    }

    @Test(arguments: Rule.all)
    func `a rule finds one problem in each of its failing examples`(rule: Rule) {
        #expect(!rule.fails.isEmpty)
        for example in rule.fails {
            var validator = Validator(contracts: example.contracts)
            validator.now = example.now
            let findings = validator.findings(for: example.envelope).filter { $0.rule == rule.id }
            #expect(findings.count == 1, "\(example)")
            #expect(findings.allSatisfy { $0.severity == rule.severity && $0.layer == rule.layer })
            #expect(findings.allSatisfy { ($0.range?.upperBound ?? 0) <= example.payload.utf8.count })
        }
    }

    @Test(arguments: Rule.all)
    func `a fix changes an example as the rule documents, and the result is valid`(rule: Rule) {
        for example in rule.fails {
            var validator = Validator(rules: [rule], contracts: example.contracts)
            validator.now = example.now
            let fix = validator.findings(for: example.envelope).first?.fix
            let fixed = fix.map { String(decoding: $0.applied(to: Array(example.payload.utf8)), as: UTF8.self) }
            #expect(fixed == example.fixed, "\(example)")
            guard let fixed else { continue }
            var repaired = example
            repaired.payload = fixed
            #expect(validator.findings(for: repaired.envelope).isEmpty, "\(repaired)")
        }
        #expect(rule.passes.allSatisfy { $0.fixed == nil })
    }

    /// All rules but those that correct a key of a file, which `FixerTests` tries.
    private static let rulesOfValues = Rule.all.filter { rule in
        rule.id != Rule.envelopeUnknownKey.id && rule.id != Rule.simulatorTargetSpelling.id
    }

    @Test(arguments: rulesOfValues)
    func `a rule accepts a header as it corrects it`(rule: Rule) {
        for example in rule.fails {
            var validator = Validator(rules: [rule], contracts: example.contracts)
            validator.now = example.now
            for finding in validator.findings(for: example.envelope) {
                guard let correction = finding.correction else { continue }
                guard case .header(let name) = finding.place else {
                    Issue.record("\(finding) is not about a header")
                    continue
                }
                var envelope = example.envelope
                switch name {
                case "token": envelope.token = correction
                case "apns-topic": envelope.topic = correction
                case "apns-push-type": envelope.pushType = correction
                case "apns-priority": envelope.priority = correction
                case "apns-expiration": envelope.expiration = correction
                case "apns-collapse-id": envelope.collapseID = correction
                case "apns-id": envelope.apnsID = correction
                case "apns-channel-id": envelope.channelID = correction
                default: Issue.record("\(name) is not a header that this test knows")
                }
                #expect(validator.findings(for: envelope).isEmpty, "\(example)")
            }
        }
    }

    @Test(arguments: Rule.all)
    func `a rule has a summary, a rationale and a source`(rule: Rule) {
        #expect(rule.summary.hasSuffix("."))
        #expect(rule.rationale.hasSuffix("."))
        #expect(!rule.source.isEmpty)
        #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" })
        #expect(rule.refusal == nil || rule.layer == .gateway)
    }

    @Test func `ids are unique and find their rules`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        #expect(Rule.named("background-priority")?.refusal?.code == "BadPriority")
        #expect(Rule.named("no-such-rule") == nil)
    }
}
