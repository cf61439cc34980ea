import AppPlay
import Foundation
import OptimizationPlay
import OptimizationSimulator
import PushDispatch
import RepositoryFiles
import ServiceHost
import Testing

/// The scripts of Examples/optimization, each against services of its own.
@Suite(.timeLimit(.minutes(5))) struct OptimizationExampleTests {
    private static let folder = "Examples/optimization"

    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path)
        return (files ?? []).filter { $0.hasSuffix(".ndjson") && !$0.hasSuffix(".expected.ndjson") }
            .map { String($0.dropLast(".ndjson".count)) }.sorted()
    }()

    static func text(_ file: String) -> String? { try? Repository.text("\(folder)/\(file)") }

    @Test func `there is a script for each round trip of the reference that this library has`() {
        #expect(
            OptimizationExampleTests.names == [
                "6-views", "7-offline", "consent", "later-generation", "locked-or-live", "preview", "retries",
                "stored-events",
            ])
    }

    @Test(arguments: names) func `a script has the results that stand beside it`(_ name: String) async throws {
        let script = try #require(OptimizationExampleTests.text("\(name).ndjson"))
        let lines = try #require(OptimizationExampleTests.text("\(name).expected.ndjson"))
        let expected = PlayExpectations(Array(lines.utf8), name: name)
        #expect(expected.mistakes.isEmpty)
        let document = OptimizationExampleTests.text("\(name).yaml") ?? OptimizationExampleTests.text("services.yaml")
        try await PlayedServices.with(document) { services in
            let results = try await services.play(script)
            #expect(results.count == expected.expectations.count)
            for (result, expected) in zip(results, expected.expectations) {
                let differences = expected.differences(from: result.json)
                #expect(
                    differences.isEmpty, "\(differences): \(String(decoding: result.line, as: UTF8.self))")
            }
            try check(name, services, results)
        }
    }

    /// What the services have at the end.
    private func check(_ name: String, _ services: PlayedServices, _ results: [PlayResult]) throws {
        switch name {
        case "6-views":
            let views = services.server.read { $0.service.events.entries.filter { $0.queue == .analytics } }
                .map(\.event.members)
            #expect(
                views.compactMap { $0["viewDurationMs"] } == [
                    2_000, 2_000, 2_000, 7_000, 12_000, 12_000, 1_000, 60_000,
                ])
            #expect(views.filter { $0["type"] == "component_click" }.count == 1)
            let ids = views.compactMap { $0["viewId"]?.string }
            #expect(Set(ids).count == 3 && ids[0] == ids[1] && Set(ids[2...5]).count == 1)
            #expect(services.kinds(.profile) == ["screen"])
        case "7-offline":
            #expect(services.kinds(.profile) == Array(repeating: "screen", count: 100))
            let requests = services.server.read { $0.answers.filter { $0.key.path == "profiles" } }
            #expect(requests.map(\.value) == [1])
        case "consent":
            #expect(services.kinds(.profile) == ["screen", "identify", "page"])
            #expect(services.kinds(.analytics).isEmpty)
        case "preview":
            // Neither in what was sent nor in what was selected.
            #expect(services.kinds(.profile) == ["screen", "identify"] && services.kinds(.analytics).isEmpty)
        case "stored-events": #expect(services.kinds(.profile) == ["screen"])
        case "retries":
            #expect(services.kinds(.profile) == ["screen"] && services.kinds(.analytics) == ["component_click"])
            #expect(services.server.read { $0.service.events.repeats } == 1)
        default: break
        }
    }
}
