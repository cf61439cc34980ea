import Foundation
import TestSupport
import Testing

@testable import RedisClient

struct RedisURLTests {
    @Test func `a URL has host, port, database, user and password`() throws {
        let url = try RedisURL("rediss://me:p%40ss%3a@[::1]:7000/3?prefix=push&wait=1")
        #expect(url.configuration.addresses == [RedisAddress(host: "::1", port: 7000)])
        #expect(url.configuration.isEncrypted)
        #expect(url.configuration.database == 3)
        #expect(url.configuration.user == "me")
        #expect(url.configuration.password == "p@ss:")
        #expect(url.others == ["prefix": "push", "wait": "1"])
        let plain = try RedisURL("redis://example.com")
        #expect(plain.configuration.addresses == [RedisAddress(host: "example.com", port: 6379)])
        #expect(plain.configuration.password == nil)
        #expect(plain.configuration.database == 0)
        let withoutUser = try RedisURL("redis://:secret@localhost/0").configuration
        #expect(withoutUser.user == nil && withoutUser.password == "secret")
    }

    @Test func `several hosts are sentinels, with a port of their own`() throws {
        let url = try RedisURL("redis://a,b:1000/0?sentinel=main&sentinel-user=me")
        #expect(
            url.configuration.addresses == [RedisAddress(host: "a", port: 26379), RedisAddress(host: "b", port: 1000)])
        #expect(url.configuration.sentinels?.masterName == "main")
        #expect(url.configuration.sentinels?.user == "me")
    }

    @Test(arguments: [
        "http://localhost", "redis://", "redis://host:0", "redis://host:port", "redis://host/one", "redis://host/-1",
        "redis://a,b/0", "redis://host/0?prefix", "redis://host/0?a=1&a=2", "redis://u:%zz@host/0", "redis://host/0#x",
        "redis://host/0?ca=/etc/ssl/cert.pem", "redis://[::1/0", "redis://a b/0",
    ])
    func `a wrong URL is an error that does not repeat it`(_ text: String) {
        let error = #expect(throws: RedisError.self) { try RedisURL(text) }
        #expect(error?.code == .badURL)
        #expect(text == "redis://" || error?.detail.contains(text) == false)
    }

    @Test(arguments: [
        "redis://host/0?password-file=/nowhere/at/all", "rediss://host/0?ca=/nowhere/at/all",
        "redis://host/0?sentinel=main&sentinel-password-file=/nowhere/at/all",
    ])
    func `a file that cannot be read is another error than a wrong URL, and is named`(_ text: String) {
        let error = #expect(throws: RedisError.self) { try RedisURL(text) }
        #expect(error?.code == .unusableFile)
        #expect(error?.detail.hasPrefix("/nowhere/at/all, which the URL of the queue names") == true)
    }

    @Test func `a password may be in a file, without its line end`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("password")
            try "secret\n".write(to: file, atomically: true, encoding: .utf8)
            let url = try RedisURL("redis://user@host/0?password-file=\(file.path)")
            #expect(url.configuration.password == "secret")
            #expect(url.configuration.user == "user")
            let error = #expect(throws: RedisError.self) {
                try RedisURL("redis://user:other@host/0?password-file=\(file.path)")
            }
            #expect(error?.detail.contains("secret") == false)
        }
    }
}
