import Foundation
import PushDispatch
import SelectiveSync
import Testing

@Suite(.serialized)
struct RESTClientTests {
    private static let refusal = TinyServer.answer(401, #"[{"message":"x","errorCode":"INVALID_SESSION_ID"}]"#)
    private static let request = FetchRequest(
        object: "Account", records: [.test(1), .test(2)], fields: ["Name"], timeoutMilliseconds: 20_000)

    private func fetch(
        _ answers: [String], maximumReplyBytes: Int = 100_000, tokens: [String] = ["one", "two"]
    ) async throws -> (Result<[FetchedRecord], FetchError>, [String]) {
        let server = try TinyServer(answers)
        defer { server.stop() }
        let instance = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let fetcher = RESTClient(maximumReplyBytes: maximumReplyBytes) { refused in
            ServerSession(instance: instance, accessToken: refused == nil ? tokens[0] : tokens[1])
        }
        do throws(FetchError) {
            return (.success(try await fetcher.fetch(Self.request)), server.requests)
        } catch {
            return (.failure(error), server.requests)
        }
    }

    @Test func `records come over HTTP with the access token`() async throws {
        let body = #"[{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(1))","Name":"A"},null]"#
        let (result, requests) = try await fetch([TinyServer.answer(200, body)])
        #expect(result == .success([.record(.test(1)), .missing(.test(2))]))
        let request = try #require(requests.first)
        #expect(request.hasPrefix("POST /services/data/v66.0/composite/sobjects/Account HTTP/1.1\r\n"))
        #expect(request.contains("Bearer one"))
        #expect(request.hasSuffix(#"{"ids":["001xx0000000001AAA","001xx0000000002AAA"],"fields":["Id","Name"]}"#))
    }

    @Test func `a refused access token is renewed once and the request repeated once`() async throws {
        let (result, requests) = try await fetch([Self.refusal, TinyServer.answer(200, "[null,null]")])
        #expect(result == .success([.missing(.test(1)), .missing(.test(2))]))
        #expect(requests.count == 2 && requests[1].contains("Bearer two"))
    }

    @Test func `a second refusal is final`() async throws {
        let (result, requests) = try await fetch([Self.refusal, Self.refusal, Self.refusal])
        #expect(throws: FetchError(.invalidSessionID, status: 401, advice: .logIn, "the server refused the call")) {
            try result.get()
        }
        #expect(requests.count == 2)
    }

    @Test func `an access token that did not change is not tried again`() async throws {
        let (result, requests) = try await fetch([Self.refusal, Self.refusal], tokens: ["one", "one"])
        #expect { try result.get() } throws: { ($0 as? FetchError)?.advice == .logIn }
        #expect(requests.count == 1)
    }

    @Test func `a reply over the limit is cancelled`() async throws {
        let long = TinyServer.answer(200, String(repeating: " ", count: 3_000_000))
        let (result, _) = try await fetch([long], maximumReplyBytes: 50_000)
        #expect { try result.get() } throws: { ($0 as? FetchError)?.code == .replyTooLarge }
    }

    @Test func `a redirect is not followed`() async throws {
        let away = TinyServer.answer(302, "", "Location: /elsewhere\r\n")
        let (result, requests) = try await fetch([away, TinyServer.answer(200, "[null,null]")])
        #expect { try result.get() } throws: { ($0 as? FetchError)?.status == 302 }
        #expect(requests.count == 1)
    }

    @Test func `a lost connection is a network error`() async throws {
        let (result, _) = try await fetch([])
        #expect { try result.get() } throws: { ($0 as? FetchError)?.advice == .retryLater }
    }

    @Test(arguments: ["http://org.example.com", "ftp://127.0.0.1", "https:///x"])
    func `the access token is not sent unencrypted`(address: String) async throws {
        let instance = try #require(URL(string: address))
        let fetcher = RESTClient { _ in ServerSession(instance: instance, accessToken: "secret") }
        await #expect { try await fetcher.fetch(Self.request) } throws: {
            ($0 as? FetchError)?.code == .badRequest && !"\($0)".contains("secret")
        }
    }

    @Test func `a failed session is reported by the type of its error`() async {
        let fetcher = RESTClient { _ in throw TestError() }
        await #expect { try await fetcher.fetch(Self.request) } throws: { ($0 as? FetchError)?.code == .noSession }
    }

    @Test func `no description of a session shows its access token`() throws {
        let instance = try #require(URL(string: "https://org.example.com"))
        let session = ServerSession(instance: instance, accessToken: "secret")
        var dumped = ""
        dump(session, to: &dumped)
        #expect(!"\(session) \(String(reflecting: session)) \(dumped)".contains("secret"))
    }
}
