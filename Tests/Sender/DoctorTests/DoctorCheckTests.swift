import APNSModel
import Testing

@testable import Doctor

struct DoctorCheckTests {
    @Test(arguments: CheckCase.all)
    func `a check says of each evidence what it is`(_ test: CheckCase) throws {
        let check = try #require(DoctorCheck.named(test.check))
        let result = check.result(for: test.evidence)
        #expect(result.state == test.state, "\(result.message)")
        #expect("\(result.message)\n\(result.next)".contains(test.text), "\(result.message); \(result.next)")
        if result.state == .fail || result.state == .warn { #expect(!result.next.isEmpty) }
        if result.state == .pass { #expect(result.next.isEmpty) }
    }

    @Test(arguments: DoctorCheck.all)
    func `each check passes where all is well, unless there is nothing to judge`(_ check: DoctorCheck) {
        let result = check.result(for: .sound)
        let expected: DoctorState = DoctorEvidence.skippedWhenSound.contains(check.id) ? .skip : .pass
        #expect(result.state == expected, "\(result.message)")
    }

    @Test(arguments: DoctorCheck.all)
    func `each check can fail or warn, but for the one about what no server sees`(_ check: DoctorCheck) {
        let states = CheckCase.all.filter { $0.check == check.id }.map(\.state)
        #expect(states.contains(.fail) || states.contains(.warn) || check.id == "device-unseen")
    }

    @Test(arguments: DoctorCheck.all)
    func `no check passes, warns or fails on what was not seen`(_ check: DoctorCheck) {
        let nothing = DoctorEvidence(
            destination: Destination(host: "api.push.apple.com", port: 443), nothingSeen: "not seen")
        #expect(check.result(for: nothing).state == .skip)
    }

    @Test func `a fault of a probe fails the checks that need it, and no other`() throws {
        var evidence = DoctorEvidence.sound
        evidence.key = .broken("it crashed")
        let results = DoctorCheck.all.map { $0.result(for: evidence) }
        let failed = results.filter { $0.state == .fail }
        #expect(failed.map(\.check) == ["key-file", "key-mode", "key-form", "key-kind", "key-id", "team-id"])
        #expect(failed.allSatisfy { $0.message.contains("it crashed") && $0.next.contains("report it") })
    }

    @Test func `ids are unique, and the layers are in their order`() {
        #expect(Set(DoctorCheck.all.map(\.id)).count == DoctorCheck.all.count)
        let places = DoctorCheck.all.map { DoctorLayer.allCases.firstIndex(of: $0.layer) ?? -1 }
        #expect(places == places.sorted())
        #expect(Set(DoctorCheck.all.map(\.layer)) == Set(DoctorLayer.allCases))
    }

    @Test func `a device token is shortened in every message`() {
        let token = String(repeating: "0f", count: 32)
        for test in CheckCase.all {
            for check in DoctorCheck.all {
                let result = check.result(for: test.evidence)
                #expect(!(result.message + result.next).contains(token))
            }
        }
    }

    @Test func `control characters of a peer are replaced`() throws {
        var evidence = DoctorEvidence.sound
        evidence.connection.change { $0.impossible = .refused(.named("Bad\u{1B}[31m", status: 400)) }
        let message = try #require(DoctorCheck.named("identity")).result(for: evidence).message
        #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func `a summary counts states, and is good without a failure`() {
        var summary = DoctorSummary()
        for state in [DoctorState.pass, .warn, .skip, .skip] {
            summary.add(DoctorResult(check: "x", layer: .key, state: state, message: "", next: ""))
        }
        #expect(summary.isGood && summary[.skip] == 2 && summary[.pass] == 1)
        summary.add(DoctorResult(check: "x", layer: .key, state: .fail, message: "", next: ""))
        #expect(!summary.isGood)
    }
}

extension DoctorCheck: CustomTestStringConvertible {
    package var testDescription: String { id }
}
