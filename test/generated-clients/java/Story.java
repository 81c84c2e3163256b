// The main story with a client that openapi-generator makes for Java. Arguments: the address of the API and a sandbox key.
import java.util.Arrays;
import java.util.LinkedHashSet;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.ContractsApi;
import org.openapitools.client.model.ApiError;
import org.openapitools.client.model.Contract;
import org.openapitools.client.model.ContractStatus;
import org.openapitools.client.model.ContractType;
import org.openapitools.client.model.CreateContract;
import org.openapitools.client.model.Environment;
import org.openapitools.client.model.PartyInput;

public class Story {
    interface Call {
        void run() throws ApiException;
    }

    private final ApiClient client = new ApiClient();
    private final ContractsApi contracts;

    Story(String url, String key) {
        client.updateBaseUri(url);
        client.setRequestInterceptor(request -> request.setHeader("x-api-key", key));
        contracts = new ContractsApi(client);
    }

    /** Waits until everyone has signed, by long polls. */
    Contract untilSigned(String id) throws ApiException {
        String etag = null;
        while (true) {
            try {
                var answer = contracts.getContractWithHttpInfo(id, etag, etag == null ? null : "wait=10");
                if (answer.getData().getContract().getStatus() == ContractStatus.SIGNED) return answer.getData().getContract();
                etag = answer.getHeaders().get("etag").get(0);
            } catch (ApiException error) {
                if (error.getCode() != 304) throw error;
            }
        }
    }

    /** The error that a call is refused with. */
    ApiError refusalOf(Call call) throws Exception {
        try {
            call.run();
        } catch (ApiException error) {
            return client.getObjectMapper().readValue(error.getResponseBody(), ApiError.class);
        }
        throw new AssertionError("the call was not refused");
    }

    static CreateContract contractOf(String... tags) {
        var parties = new LinkedHashSet<PartyInput>();
        for (String tag : tags)
            parties.add(new PartyInput().role(tag).legalName("The " + tag).email("signs+" + tag + "@simulator.test"));
        return new CreateContract().contractType(ContractType.SALES_AGREEMENT).content("SALE\n\nA bicycle.").parties(parties);
    }

    static void expectEqual(Object found, Object expected) {
        if (!found.equals(expected)) throw new AssertionError("expected " + expected + ", found " + found);
    }

    public static void main(String[] arguments) throws Exception {
        var story = new Story(arguments[0], arguments[1]);
        expectEqual(new AccountApi(story.client).getStatus().getKey().getEnvironment(), Environment.SANDBOX);
        var created = story.contracts.createContract(contractOf("buyer", "seller"), "java-1", null).getContract();
        expectEqual(story.untilSigned(created.getId()).getSignatures().size(), 2);
        var unknown = story.refusalOf(() -> story.contracts.getContract("contract-1795183380000-k3v9x2m1q", null, null));
        expectEqual(unknown.getCode(), arguments[2]);
        var refused = story.refusalOf(() -> story.contracts.createContract(contractOf("buyer"), null, null));
        expectEqual(refused.getIssues().get(0).getPath(), "parties");
        System.out.println("story passed");
    }
}
