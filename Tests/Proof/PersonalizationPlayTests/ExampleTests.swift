import AppPlay
import Foundation
import PersonalizationPlay
import PersonalizationSimulator
import ServiceHost
import PushDispatch
import RepositoryFiles
import Testing

/// The scripts of Examples/personalization, each against a service of its own.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
    private static let folder = "Examples/personalization"

    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path)
        return (files ?? []).filter { $0.hasSuffix(".ndjson") && !$0.hasSuffix(".expected.ndjson") }
            .map { String($0.dropLast(".ndjson".count)) }.sorted()
    }()

    private static func text(_ file: String) -> String? { try? Repository.text("\(folder)/\(file)") }

    @Test func `there is a script for each round trip of the reference that this library has`() {
        #expect(
            ExampleTests.names == [
                "1-push-opened", "2-offline", "3-lost-answer", "4-consent", "5-log-in", "8-other-pushes", "sessions",
            ])
    }

    @Test(arguments: names) func `a script has the results that stand beside it`(_ name: String) async throws {
        let script = try #require(ExampleTests.text("\(name).ndjson"))
        let expected = try #require(ExampleTests.text("\(name).expected.ndjson")).split(separator: "\n").map {
            PlayExpectation(
                try JSONReader.read(
                    Array($0.utf8), limits: JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 10_000)))
        }
        try await PlayedService.with(ExampleTests.text("\(name).yaml")) { service in
            let results = try await service.play(script)
            #expect(results.count == expected.count)
            for (result, expected) in zip(results, expected) {
                let differences = expected.differences(from: result.json)
                #expect(differences.isEmpty, "step \(result.step): \(String(decoding: result.line, as: UTF8.self))")
            }
            try check(name, service, results)
        }
    }

    /// What the service has at the end.
    private func check(_ name: String, _ service: PlayedService, _ results: [PlayResult]) throws {
        let records = service.server.read { $0.service.decisions.records }
        switch name {
        case "1-push-opened":
            #expect(
                service.kinds == [
                    "Opt In", "Push Notification Open", "catalog-object-view-start", "catalog-object-click",
                ])
            let record = try #require(records.first)
            #expect(record.count(.open) == 1 && record.count(.impression) == 1 && record.count(.click) == 1)
        case "2-offline":
            #expect(
                service.kinds == [
                    "Opt In", "catalog-object-view-start", "catalog-object-view-start", "catalog-object-click",
                ])
            #expect(service.server.read { $0.service.events.repeats } == 0)
            let times = service.server.read { $0.service.events.entries.suffix(3).map(\.event.time) }
            #expect(times[1] - times[0] == 1_000 && times[2] - times[1] == 1_000)
        case "3-lost-answer":
            #expect(service.kinds == ["Opt In"])
            #expect(service.server.read { $0.service.events.repeats } == 1)
        case "4-consent": #expect(service.kinds == ["Opt Out", "Opt In", "personalization-view"])
        case "8-other-pushes": #expect(service.kinds == ["Opt In", "Push Notification Open"])
        default: break
        }
    }
}
