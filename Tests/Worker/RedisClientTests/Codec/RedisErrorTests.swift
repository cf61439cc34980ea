import Testing

@testable import RedisClient

struct RedisErrorTests {
    @Test(arguments: [
        ("LOADING Redis is loading the dataset in memory", RedisError.Code.loading),
        ("READONLY You can't write against a read only replica.", .readOnly),
        ("MOVED 3999 127.0.0.1:6381", .clusterMode), ("ASK 3999 127.0.0.1:6381", .clusterMode),
        ("CROSSSLOT Keys in request don't hash to the same slot", .clusterMode),
        ("CLUSTERDOWN Hash slot not served", .clusterMode),
        ("NOAUTH Authentication required.", .passwordNeeded),
        ("WRONGPASS invalid username-password pair or user is disabled.", .wrongPassword),
        ("ERR invalid password", .wrongPassword),
        ("ERR AUTH <password> called without any password configured for the default user.", .wrongPassword),
        ("NOPERM this user has no permissions to run the 'xadd' command", .noPermission),
        ("OOM command not allowed when used memory > 'maxmemory'.", .full),
        ("BUSY Redis is busy running a script.", .busy), ("BUSYGROUP Consumer Group name already exists", .groupExists),
        ("NOGROUP No such key 'push' or consumer group", .noGroup), ("NOSCRIPT No matching script.", .noScript),
        ("WRONGTYPE Operation against a key holding the wrong kind of value", .wrongType),
        ("MISCONF Redis is configured to save RDB snapshots", .notPersistent),
        ("ERR max number of clients reached", .tooManyClients),
        ("DENIED Redis is running in protected mode", .protectedMode),
        ("ERR something else", .refused),
    ])
    func `each refusal of a server has its code`(_ text: String, _ code: RedisError.Code) {
        #expect(RedisError(reply: text).code == code)
    }

    @Test func `the arguments of an unknown command are not repeated`() {
        let error = RedisError(
            reply: "ERR unknown command 'XADD', with args beginning with: 'push:jobs' 'b' '{\"token\":\"ab12\"' ")
        #expect(error.code == .unknownCommand)
        #expect(error.detail.contains("XADD"))
        #expect(!error.detail.contains("ab12"))
    }

    private static let known: [(reply: String, code: String)] = [
        (
            "ERR Script attempted to access a non local key in a cluster node script: c2, on @user_script:25.",
            "cluster-mode"
        ),
        (
            "ERR Script attempted to execute a command while the cluster is down script: c2, on @user_script:2.",
            "cluster-mode"
        ),
        (
            "ERR Error running script (call to f_c2): @user_script:25: @user_script: 25: Script attempted to access a non "
                + "local key in a cluster node", "cluster-mode"
        ),
        (
            "ERR The user executing the script can't run this command or subcommand script: c2, on @user_script:2.",
            "no-permission"
        ),
        ("ERR ACL failure in script: User w has no permissions to run the 'xack' command", "no-permission"),
        (
            "ERR Error running script (call to f_c2): @user_script:3: @user_script: 3: -OOM command not allowed when used "
                + "memory > 'maxmemory'.", "full"
        ),
        (
            "ERR Error running script (call to f_c2): @user_script:3: WRONGTYPE Operation against a key holding the wrong "
                + "kind of value", "wrong-type"
        ),
        ("ERR Error running script (call to f_c2): @user_script:3: @user_script: 3: nil", "refused"),
        ("ERR value is not an integer or out of range", "not-a-number"),
    ]

    @Test func `what stops a script in its middle is told by its cause, by old servers and new ones`() {
        for (reply, code) in RedisErrorTests.known { #expect(RedisError(reply: reply).code.name == code, "\(reply)") }
    }

    @Test func `the command of a script that the user may not run is named`() {
        let script = RedisScript(
            """
            local a = 1
            redis.call('XACK', 'k')
            local found = redis.call(
                'ZRANGEBYSCORE', 'k')
            """)
        for (line, command) in [(2, "XACK"), (3, "ZRANGEBYSCORE"), (4, "ZRANGEBYSCORE")] {
            for reply in [
                "ERR The user executing the script can't run this command or subcommand script: 0a, on @user_script:\(line).",
                "ERR Error running script (call to f_0a): @user_script:\(line): @user_script: \(line): The user executing "
                    + "the script can't run this command or subcommand",
            ] {
                let error = RedisError(reply: reply).naming(script)
                #expect(error.code == .noPermission)
                #expect(error.detail.contains("the command \(command),"), "\(error.detail)")
            }
        }
        let other = RedisError(reply: "ERR ACL failure in script: User w has no permissions to run the 'xack' command")
        #expect(other.naming(script) == other)
    }
}
