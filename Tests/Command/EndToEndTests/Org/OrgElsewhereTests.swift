import Testing

/// `apns org` where something else answers, or nothing.
@Suite(.timeLimit(.minutes(3))) struct OrgElsewhereTests {
    @Test func `a decision service at the address is not an org`() async throws {
        try await withCommand { command in
            let service = try command.start(["personalization", "--port", "0", "--json"])
            try await service.stopped {
                let facts = try JSONText.object(try await service.line(#""event":"ready""#))
                let url = try #require(facts["url"] as? String)
                for arguments in [["login", "ada@example.com"], ["records", "Account"], ["log"], ["explain"]] {
                    let result = try await command.run(["org"] + arguments + ["--at", url])
                    #expect(result.status == 2, "\(result.text)")
                    #expect(result.errors.contains("what answers at \(url) is not an org; start one"), "\(result.text)")
                }
            }
        }
    }

    @Test func `what an org does not have is still an answer of the org`() async throws {
        try await withOrg { org, command in
            let result = try await command.run(["org", "login", "nobody"] + org.at)
            #expect(result.status == 1 && result.errors.contains("there is no user nobody"), "\(result.text)")
        }
    }
}
