import Foundation
import RepositoryFiles
import Testing

@testable import Doctor

struct DoctorPageTests {
    /// The checks in the third column of the reasons on docs/doctor.md.
    private static let named: Set<String> = {
        let text = (try? Repository.text("docs/doctor.md")) ?? ""
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { $0.split(separator: "|") }
        return Set(
            rows.filter { $0.count > 2 }.flatMap { $0[2].matches(of: /`([a-z0-9-]+)`/).map { String($0.output.1) } })
    }()

    @Test func `the reasons on docs/doctor.md name checks that exist`() {
        #expect(Self.named.subtracting(DoctorCheck.all.map(\.id)) == [])
        #expect(!Self.named.isEmpty)
    }

    @Test(arguments: DoctorCheck.all)
    func `each check finds one of the reasons on docs/doctor.md`(_ check: DoctorCheck) {
        #expect(Self.named.contains(check.id))
    }

    @Test func `docs/doctor.md has fifteen reasons`() throws {
        let text = try Repository.text("docs/doctor.md")
        #expect(text.matches(of: /(?m)^\| [0-9]+ \|/).count == 15)
    }

    @Test func `the generated page has a row for each check, in the section of its layer`() throws {
        let page = DoctorPage.markdown(DoctorCheck.all)
        var layer = ""
        var rows: [String: String] = [:]
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") { layer = String(line.dropFirst(3)) }
            if let match = line.firstMatch(of: /^\| `([a-z0-9-]+)` \|/) { rows[String(match.output.1)] = layer }
        }
        #expect(rows == Dictionary(uniqueKeysWithValues: DoctorCheck.all.map { ($0.id, $0.layer.rawValue) }))
    }
}
