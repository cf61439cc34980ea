import Testing

@testable import PostgresClient

struct PostgresConfigurationTests {
    private func value(_ name: String, _ url: String, _ environment: [String: String] = [:]) throws -> String? {
        try PostgresConfiguration(url: url, environment: environment).parameters.first { $0.keyword == name }?.value
    }

    @Test func `another machine is verified, this one needs no TLS`() throws {
        #expect(try value("sslmode", "postgres://user@db.example.com/jobs") == "verify-full")
        #expect(try value("sslmode", "postgres://user@127.0.0.1/jobs") == nil)
        #expect(try value("sslmode", "postgres:///jobs") == nil)
        #expect(try value("sslmode", "postgres://user@/jobs?host=/run/postgresql") == nil)
        #expect(try value("sslmode", "postgres://user@db.example.com/jobs?sslmode=disable") == "disable")
        #expect(try value("sslmode", "postgres://db.example.com/jobs", ["PGSSLMODE": "verify-ca"]) == nil)
        #expect(try value("sslrootcert", "postgres://db.example.com/jobs?sslrootcert=/ca.pem") == "/ca.pem")
        #expect(try value("client_encoding", "postgres:///jobs?client_encoding=LATIN1") == "UTF8")
    }

    @Test(arguments: ["allow", "prefer", "require"])
    func `a mode that does not verify another machine is refused`(_ mode: String) throws {
        let error = #expect(throws: PostgresError.self) {
            try PostgresConfiguration(url: "postgres://db.example.com/jobs?sslmode=\(mode)", environment: [:])
        }
        #expect(error?.detail.contains("verify-full") == true)
        #expect(throws: PostgresError.self) {
            try PostgresConfiguration(url: "postgres://db.example.com/jobs", environment: ["PGSSLMODE": mode])
        }
        #expect(throws: Never.self) {
            try PostgresConfiguration(url: "postgres://localhost/jobs?sslmode=\(mode)", environment: [:])
        }
    }

    @Test(arguments: [
        "redis://host", "postgres://user:secret@host/db?nosuch=1",
        "postgres://user:secret%zz@host/db", "postgres://user:secret@[::1/db",
        "postgres://user:my@secret@host:5432/db", "postgres://user:secret/my@host:5432/db", "postgres://user:secret",
        "postgres://user:12/secret@host/db", "postgres://user:my?@secret@host/db", "postgresql://secret@my@host",
        "postgres://host:5432?user=u&password=my@secret",
    ])
    func `a wrong URL is an error without the password`(_ url: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url, environment: [:]) }
        #expect(error?.code == .badURL)
        #expect(error?.detail.contains("secret") == false)
    }

    @Test func `a password may have every character as a % sequence, and a value of the query an @`() throws {
        #expect(try value("password", "postgres://user:a%40b%2Fc%3F@host:5432/db") == "a@b/c?")
        #expect(try value("password", "postgres://user:a?b@host/db") == "a?b")
        #expect(try value("application_name", "postgres://user@host/db?application_name=a@b") == "a@b")
        #expect(try value("host", "postgres:///db?host=@push") == "@push")
        #expect(try value("port", "postgres://user@a:1,b:2/db") == "1,2")
        #expect(try value("port", "postgres://user@a,b:2/db") == ",2")
    }
}

struct PostgresArrayTests {
    @Test func `array elements are quoted, and NULL is not a text`() {
        #expect(
            PostgresArray.text(["a", "b\"c\\d", nil, "", "NULL", "x,y}"]) == #"{"a","b\"c\\d",NULL,"","NULL","x,y}"}"#)
        #expect(PostgresArray.text([String?]()) == "{}")
        #expect(PostgresArray.text([1, -2] as [Int64]) == "{1,-2}")
    }
}
