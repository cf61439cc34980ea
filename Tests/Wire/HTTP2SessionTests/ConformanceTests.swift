import APNSModel
import HTTP2Session
import Testing

struct ConformanceTests {
    private static let streamLimit: UInt32 = 10

    private func server(answers: Bool) throws -> TestPeer {
        let settings = [HTTP2Setting.maxConcurrentStreams(ConformanceTests.streamLimit)]
        return try answers ? .answering(settings: settings) : TestPeer(.server, settings: settings)
    }

    @Test(arguments: ConformanceCase.all)
    func `a broken rule gets the error that RFC 9113 wants`(test: ConformanceCase) throws {
        let server = try server(answers: test.answers)
        try server.receive(preface)
        try server.collect()
        for frame in test.frames {
            try server.receive(frame)
            try server.collect()
        }
        check(server, test)
    }

    @Test(arguments: ConformanceCase.all)
    func `it gets it too where all frames come at once, or each byte alone`(test: ConformanceCase) throws {
        let bytes = preface + test.frames.joined()
        for pieces in [[bytes], bytes.map { [$0] }] {
            let server = try server(answers: test.answers)
            for piece in pieces {
                try server.receive(piece)
                try server.collect()
            }
            check(server, test)
        }
    }

    private func check(_ server: TestPeer, _ test: ConformanceCase) {
        let errors = SentError.all(in: server.sent)
        let goAways = errors.filter { $0.isGoAway && $0.code != .noError }
        let codes = test.codes
        switch test.outcome {
        case .connectionError:
            #expect(goAways.count == 1 && codes.contains { $0 == goAways.first?.code }, "\(errors)")
            #expect(server.isFinished)
            let code = goAways.first.map { "\($0.code)" } ?? ""
            #expect(server.session.violation?.contains(code) == true)
        case .streamError:
            #expect(errors.contains { codes.contains($0.code) }, "\(errors)")
        case .accepted:
            #expect(errors.isEmpty && !server.isFinished)
            #expect(server.session.violation == nil)
        }
    }

    @Test func `a head in two frames is read also where each byte comes alone`() throws {
        let server = try TestPeer.answering()
        let bytes =
            preface + frame(type: 1, flags: 1, stream: 1, payload: Array(requestHead.prefix(4)))
            + frame(type: 9, flags: 4, stream: 1, payload: Array(requestHead.dropFirst(4)))
        for byte in bytes { try server.receive([byte]) }
        #expect(server.lines.contains("end 1 0"))
    }

    @Test func `frames on a stream that only this side has reset are ignored`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface + frame(type: 1, flags: 4, stream: 1, payload: requestHead))
        server.session.reset(server.streams[0], .cancel)
        try server.collect()
        try server.receive(
            frame(type: 0, stream: 1, payload: [1]) + frame(type: 0, flags: 1, stream: 1, payload: [1])
                + frame(type: 1, flags: 5, stream: 3, payload: requestHead))
        try server.collect()
        #expect(!server.isFinished)
        #expect(server.lines.contains("end 3 0"))
        // By now the client has ended the first stream itself.
        try server.receive(frame(type: 0, flags: 1, stream: 1, payload: [1]))
        try server.collect()
        #expect(SentError.all(in: server.sent).last == SentError(isGoAway: true, code: .streamClosed))
    }

    @Test func `a closed stream is known after many others`() throws {
        let server = try TestPeer.answering()
        try server.receive(preface)
        for index: Int32 in 0..<2000 {
            try server.receive(frame(type: 1, flags: 5, stream: 1 + 2 * index, payload: requestHead))
            try server.collect()
        }
        try server.receive(frame(type: 0, flags: 1, stream: 1, payload: [1]))
        try server.collect()
        #expect(SentError.all(in: server.sent) == [SentError(isGoAway: true, code: .streamClosed)])
    }
}

/// A RST_STREAM or GOAWAY frame.
struct SentError: Hashable {
    var isGoAway: Bool
    var code: HTTP2ErrorCode

    /// The errors among frames that a session has sent, in order.
    static func all(in bytes: [UInt8]) -> [SentError] {
        var position = 0
        var errors: [SentError] = []
        while position + 9 <= bytes.count {
            let length = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
            let type = bytes[position + 3]
            if type == 3 || type == 7 {
                let code = position + 9 + (type == 7 ? 4 : 0)
                errors.append(
                    SentError(
                        isGoAway: type == 7,
                        code: HTTP2ErrorCode(rawValue: bytes[code..<(code + 4)].reduce(0) { $0 << 8 | UInt32($1) })))
            }
            position += 9 + length
        }
        return errors
    }
}
